"""How good is the policy? Held-out suites and reports."""
