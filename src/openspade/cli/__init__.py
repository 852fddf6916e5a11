"""The commands: the only place that prints. Each module is one group of commands; nothing imports this package."""
