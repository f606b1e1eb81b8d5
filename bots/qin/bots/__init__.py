"""The bot interface, the bots and their runner."""
