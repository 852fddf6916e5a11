"""What a given environment says where the suites read it again."""

LOOSE = "Right by Reasoning Gym's rule, but no answer by a strict reading."
"""The last observation of a question that was won by a hole in its scorer."""
