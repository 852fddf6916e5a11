"""What a given environment says of an answer, where all of them share it or the suites read it again."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from openspade.openspade_env import Game, Step

LOOSE = "Right by Reasoning Gym's rule, but no answer by a strict reading."
"""The last observation of a question that was won by a hole in its scorer."""


class ScoredGame(Game):
    """A game that another project judges: its numbers stand in `info`, whatever they come to as a reward."""

    verdict: Mapping[str, float] = MappingProxyType({"score": 0.0})

    def step(self, action: str) -> Step:
        """As any game's, and the verdict beside it."""
        observation, reward, terminated, truncated, _ = super().step(action)
        return observation, reward, terminated, truncated, dict(self.verdict)
