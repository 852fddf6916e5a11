"""Tokens of many conversations at once, on this machine."""
