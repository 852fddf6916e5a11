"""The run's database: designs, verdicts, playtests, episodes. The only home of SQL."""
