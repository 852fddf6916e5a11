"""The outside, both ways: environments as packages of other frameworks, and other people's environments as pools."""
