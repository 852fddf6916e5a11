"""The confined side: the fork server and the programs it forks. Standard library only."""
