"""What a cycle leaves behind, and what is done with it later."""
