"""The client library for Python."""
