"""Conversations as exact tokens, a model's own template, and the test of it."""
