"""Weights on a server that speaks the Tinker API."""
