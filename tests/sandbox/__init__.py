"""The sandbox attacked, and its promises in counts."""
