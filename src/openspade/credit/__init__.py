"""Pure arithmetic: outcomes, regret, rewards, advantages."""
