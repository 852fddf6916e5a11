"""What a recipe will cost before it is started: arithmetic on its settings, without any engine."""
