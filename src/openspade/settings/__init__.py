"""The sections of the configuration; config.py puts them together. Every part gets its own section only."""
