"""The `qin` command: the only place that knows every other part."""
