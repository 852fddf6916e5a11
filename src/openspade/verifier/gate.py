"""What a gate is: a name and a judgement on one case. A case is a design with everything the ladder has found out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from openspade.sandbox.failures import ProgramFault
from openspade.settings.worlds import GatesConfig
from openspade.types import Action, Design, Draft, Problem
from openspade.verifier.players.probe import Probe

Judgement = Problem | str | None
"""What a gate answers: a problem, a note on what it saw in passing, or nothing."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """One draft before the gates that need no process."""

    draft: Draft
    design: Design
    config: GatesConfig


@dataclass(frozen=True, kw_only=True)
class Reading:
    """A gate that only reads the program."""

    id: str
    judge: Callable[[Case], Judgement]


@dataclass(frozen=True, kw_only=True)
class Trial:
    """A gate that plays the program in the sandbox."""

    id: str
    judge: Callable[[Probe], Awaitable[Judgement]]


def faulty(gate: str, fault: ProgramFault, *, where: str) -> Problem:
    """A fault of the program as a problem; some faults belong to a gate of their own wherever they show."""
    gate = {"reward_range": "reward_range", "too_large": "observation_size"}.get(fault.kind, gate)
    if fault.message.startswith("MemoryError"):
        gate = "resource_bounds"
    elif fault.message.startswith("done of request"):
        gate = "stepwise"
    sentence = {
        "raised": f"It raised an exception: {fault.message}.",
        "contract": f"It breaks the contract: {fault.message}.",
        "reward_range": f"It paid {fault.message}.",
        "too_large": f"It says too much: {fault.message}.",
    }.get(fault.kind, fault.message)
    lines = [line.strip() for line in fault.traceback.splitlines() if line.strip() and set(line.strip()) - set("^~")]
    return Problem(gate=gate, message=sentence.replace("..", "."), evidence="; ".join([where, *lines[-2:-1]]))


def told(action: Action) -> str:
    """An action as evidence shows it."""
    if action.calls:
        return ", ".join(f"{call.name}({short(str(dict(call.arguments)), 80)})" for call in action.calls)
    return short(repr(action.text), 120)


def short(text: str, limit: int = 200) -> str:
    """A text cut to `limit` characters, visibly."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
