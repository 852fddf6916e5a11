"""How an episode ended and what it paid: one table, one function."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Literal

from openspade.types import Outcome

ReturnKind = Literal["last", "max", "sum"]


class Ending(StrEnum):
    """Why an episode stopped; who can cause which stands in docs/algorithm.md."""

    TERMINATED = "terminated"
    ENVIRONMENT = "environment"
    TURNS = "turns"
    TOKENS = "tokens"
    CONTEXT = "context"
    REFUSED = "refused"
    CRASH = "crash"
    INFRASTRUCTURE = "infrastructure"


_VOID = {Ending.CRASH, Ending.INFRASTRUCTURE}


def conclude(ending: Ending, rewards: Sequence[float], kind: ReturnKind) -> tuple[Outcome, float]:
    """Outcome and return in [0, 1]. A terminated success (last reward 1) returns 1 whatever `kind` says."""
    if ending in _VOID:
        return Outcome.VOID, 0.0
    if ending is Ending.TERMINATED and rewards and rewards[-1] >= 1.0:
        return Outcome.SOLVED, 1.0
    outcome = Outcome.FAILED if ending is Ending.TERMINATED else Outcome.TRUNCATED
    return outcome, episode_return(rewards, kind)


def episode_return(rewards: Sequence[float], kind: ReturnKind) -> float:
    """The rewards of an episode as one number in [0, 1]; 0 for an episode without a step."""
    if not rewards:
        return 0.0
    total = {"last": rewards[-1], "max": max(rewards), "sum": sum(rewards)}[kind]
    return min(max(total, 0.0), 1.0)
