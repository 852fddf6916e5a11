"""An episode as the list of its actions: whoever has the list has the episode."""

from __future__ import annotations

from typing import Any

import verifiers.v1 as vf
from pydantic import Field

from .playing import Play


class EpisodeState(vf.State):
    """What the environment and the server of its tools tell each other."""

    design: str = ""
    seed: int = 0
    episode: str = ""
    actions: list[Any] = Field(default_factory=list)
    score: float = 0.0


class Episode:
    """One play of one instance, as far as its actions go."""

    def __init__(self, design: str, seed: int) -> None:
        self.play = Play(design, calls_are_turns=True)
        self.play.begin(seed)
        self.actions: list[Any] = []

    @property
    def over(self) -> bool:
        return self.play.over

    @property
    def score(self) -> float:
        return self.play.score

    def catch_up(self, actions: list[Any]) -> None:
        """Play what was done elsewhere."""
        for action in actions[len(self.actions) :]:
            self.step(action)

    def step(self, action: Any) -> str:
        """One turn; what the player reads."""
        turn = self.play.step(action)
        self.actions = [*self.actions, action]
        return turn.shown

    def close(self) -> None:
        self.play.close()
