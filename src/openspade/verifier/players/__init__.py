"""Who tries a design out before a policy does: its solution, and players that understand nothing."""
