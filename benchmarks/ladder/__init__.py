"""Designs good and bad, made without a look at the gates: what the ladder catches, what it refuses wrongly."""
