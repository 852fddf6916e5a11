"""How the built-in nano policy is made: mechanics, worked solutions, pretraining."""
