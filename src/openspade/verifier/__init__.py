"""May a draft be played? A ladder of deterministic gates that fail closed."""
