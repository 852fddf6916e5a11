"""The gates, by what they look at."""
