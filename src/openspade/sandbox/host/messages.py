"""Messages to a program and what is read from its answers: pure, so that every way of waiting shares them.

A reader raises ProtocolViolation where the answer does not fit the question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from openspade.sandbox import wire
from openspade.sandbox.failures import ProgramFault, ProtocolViolation
from openspade.tokens import JSON
from openspade.types import Action, Kind, Observation, StepResult, ToolCall

_TERMINATED, _TRUNCATED = 1, 2


@dataclass(frozen=True, kw_only=True, slots=True)
class EnvironmentDescription:
    """What a program says about itself; `tools` are JSON schemas in the function form."""

    kind: Kind
    title: str
    skill: str
    hint: str
    max_turns: int
    tools: tuple[Mapping[str, JSON], ...] = ()


class _Description(msgspec.Struct, frozen=True):
    kind: Kind
    title: str
    skill: str
    hint: str
    max_turns: int
    tools: list[dict[str, Any]]


class _Call(msgspec.Struct, frozen=True):
    name: str
    arguments: dict[str, Any]
    problem: str = ""


class _ToolAction(msgspec.Struct, frozen=True):
    text: str = ""
    calls: list[_Call] = []


_decode_description = msgspec.json.Decoder(_Description).decode
_decode_plan = msgspec.json.Decoder(list[str | _ToolAction]).decode


def wire_actions(kind: Kind, actions: Sequence[Action]) -> list[object]:
    """Actions as a program's `step` receives them: plain data, never objects."""
    if kind == "game":
        return [action.text for action in actions]
    return [{"text": action.text, "calls": [_wire_call(call) for call in action.calls]} for action in actions]


def _wire_call(call: ToolCall) -> dict[str, object]:
    return {"name": call.name, "arguments": dict(call.arguments), "problem": call.problem}


def read_description(text: str) -> EnvironmentDescription | ProgramFault:
    try:
        read = _decode_description(text)
    except (msgspec.DecodeError, RecursionError) as error:
        return ProgramFault(kind="contract", message=f"the program does not describe itself properly: {error}")
    return EnvironmentDescription(
        kind=read.kind,
        title=read.title,
        skill=read.skill,
        hint=read.hint,
        max_turns=read.max_turns,
        tools=tuple(read.tools),
    )


def read_fault(fault: wire.Fault) -> ProgramFault:
    return ProgramFault(kind=fault.kind, message=fault.message, traceback=fault.traceback)


def read_observations(rows: wire.Rows, instances: int) -> list[Observation | ProgramFault]:
    """First observations, in the order of the request."""
    _check_columns(rows, texts=instances, numbers=0)
    return [_observation(rows, position, text) for position, text in enumerate(rows.texts)]


def read_steps(rows: wire.Rows, instances: int) -> list[StepResult | ProgramFault]:
    """What one turn of each instance brought, in the order of the request."""
    _check_columns(rows, texts=instances, numbers=instances)
    columns = zip(rows.texts, rows.rewards, rows.ends, strict=True)
    if not rows.asides and not any(rows.ends) and all(0.0 <= reward <= 1.0 for reward in rows.rewards):
        # The middle of most episodes: nothing to look at row by row.
        return [
            StepResult(observation=Observation(text=text), reward=reward, terminated=False)
            for text, reward, _ in columns
        ]
    return [_step(rows, position, *row) for position, row in enumerate(columns)]


def read_plans(rows: wire.Rows, instances: int) -> list[list[Action] | ProgramFault]:
    _check_columns(rows, texts=instances, numbers=0)
    plans: list[list[Action] | ProgramFault] = []
    for position, text in enumerate(rows.texts):
        aside = rows.asides.get(position)
        faulted = aside.fault if aside is not None else None
        plans.append(_plan(text) if faulted is None else read_fault(faulted))
    return plans


def _check_columns(rows: wire.Rows, *, texts: int, numbers: int) -> None:
    if len(rows.texts) != texts or len(rows.rewards) != numbers or len(rows.ends) != numbers:
        raise ProtocolViolation(f"a reply for {len(rows.texts)} instances where {texts} were asked")


def _observation(rows: wire.Rows, position: int, text: str) -> Observation | ProgramFault:
    aside = rows.asides.get(position) if rows.asides else None
    if aside is None:
        return Observation(text=text)
    if aside.fault is not None:
        return read_fault(aside.fault)
    return Observation(text=text, results=tuple(aside.results))


def _step(rows: wire.Rows, position: int, text: str, reward: float, ends: int) -> StepResult | ProgramFault:
    observation = _observation(rows, position, text)
    if isinstance(observation, ProgramFault):
        return observation
    # Also false for NaN.
    if not 0.0 <= reward <= 1.0:
        message = f"a reward of {reward!r}; rewards must be finite and within [0, 1]"
        return ProgramFault(kind="reward_range", message=message)
    return StepResult(
        observation=observation,
        reward=reward,
        terminated=bool(ends & _TERMINATED),
        truncated=bool(ends & _TRUNCATED),
    )


def _plan(text: str) -> list[Action] | ProgramFault:
    try:
        moves = _decode_plan(text)
    except (msgspec.DecodeError, RecursionError) as error:
        return ProgramFault(kind="contract", message=f"plan() is no list of actions: {error}")
    return [_planned_action(move) for move in moves]


def _planned_action(move: str | _ToolAction) -> Action:
    if isinstance(move, str):
        return Action(text=move)
    calls = tuple(ToolCall(name=c.name, arguments=c.arguments, problem=c.problem) for c in move.calls)
    return Action(text=move.text, calls=calls)
