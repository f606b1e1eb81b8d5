"""The bots that come along, one file each."""
