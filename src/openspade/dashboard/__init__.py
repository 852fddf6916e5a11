"""Runs in a browser: what was written, refused, played and learned. It reads runs and writes nothing."""
