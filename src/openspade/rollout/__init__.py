"""Playing environments token-exactly, unaided and hinted."""
