"""`python -m openspade`, for where the console script is not on the path."""

from openspade.cli.main import main

main()
