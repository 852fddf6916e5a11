"""What a cold start is asked for, and a lesson in tokens."""

from __future__ import annotations

from dataclasses import dataclass

from openspade.engine.training.supervised import Schedule
from openspade.errors import ConfigError
from openspade.tokens import Role, TokenStream

SEED_WORD = "warmup"
"""What draws are named by: the command's old name, so that a seed gives the lessons that it gave."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ColdStartPlan:
    """`designs` and `held_out` are shares of the lessons; a pool named twice gives twice as many of them.

    With `minutes` training ends by the clock, otherwise after `epochs`.
    """

    pools: tuple[str, ...] = ("pool:starter",)
    lessons: int = 600
    designs: float = 0.7
    held_out: float = 0.1
    epochs: float = 3.0
    minutes: float = 0.0
    learning_rate: float = 4e-4
    tokens_per_step: int = 2048

    def __post_init__(self) -> None:
        if not self.pools or self.lessons < len(self.pools):
            raise ConfigError(f"{self.lessons} lessons from {len(self.pools)} pools; each pool needs at least one")

    def schedule(self, *, bfloat16: bool, seed: int) -> Schedule:
        """How the lessons are learnt."""
        return Schedule(
            learning_rate=self.learning_rate,
            epochs=self.epochs,
            minutes=self.minutes,
            tokens_per_batch=self.tokens_per_step,
            weight_decay=0.05,
            bfloat16=bfloat16,
            seed=seed,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class TokenLesson:
    """One conversation to learn from; held-out ones only measure. `source` is the program it is about."""

    role: Role
    pool: str
    source: str
    streams: tuple[TokenStream, ...]
    held_out: bool = False
