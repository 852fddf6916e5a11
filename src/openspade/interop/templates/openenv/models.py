"""What goes over the wire: the same for every design."""

from __future__ import annotations

from typing import Any

from openenv.core.env_server.types import Action, Observation
from pydantic import BaseModel, Field


class Call(BaseModel):
    """One tool call."""

    name: str = Field(max_length=200)
    arguments: dict[str, Any] = Field(default_factory=dict)


class TextAction(Action):
    """A game's move is `text`; a tool task takes `calls`, or `text` as words to its user."""

    text: str = Field(default="", max_length=20_000)
    calls: list[Call] = Field(default_factory=list, max_length=64)


class TextObservation(Observation):
    """What the player reads. `results` answer the calls one by one; `reward` is what was gained, `score` the sum."""

    text: str = ""
    results: list[str] = Field(default_factory=list)
    score: float = 0.0
    design: str = ""
    seed: int = 0
    kind: str = "game"
    tools: list[dict[str, Any]] = Field(default_factory=list, description="OpenAI functions; only after a reset")
