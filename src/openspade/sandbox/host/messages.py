"""Messages to a program and what is read from its answers: pure, so that every way of waiting shares them.

A reader raises ProtocolViolation where the answer does not fit the question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from openspade.sandbox import wire
from openspade.sandbox.failures import ProgramFault, ProtocolViolation
from openspade.tokens import JSON
from openspade.types import Action, Kind, Observation, StepResult, ToolCall

_TERMINATED, _TRUNCATED = 1, 2
_UTF8_MOST = 4
MAX_DEPTH = 32
"""Lists and objects inside one another in the arguments of a call."""
_TOO_DEEP = f"arguments are nested more than {MAX_DEPTH} deep"


@dataclass(frozen=True, kw_only=True, slots=True)
class EnvironmentDescription:
    """What a program says about itself; `tools` are JSON schemas in the function form."""

    kind: Kind
    title: str
    skill: str
    hint: str
    max_turns: int
    tools: tuple[Mapping[str, JSON], ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Share:
    """What one message may bring: how many instances it names, and the bytes that each of them may send."""

    instances: int
    bytes_each: int


class _Schema(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, rename="camel"):
    """A parameter, or a part of one, in the JSON schema that `openspade_env` writes."""

    type: Literal["string", "integer", "number", "boolean", "array", "object"] | UnsetType = UNSET
    description: str | UnsetType = UNSET
    enum: list[str | int | float | bool] | UnsetType = UNSET
    nullable: bool | UnsetType = UNSET
    items: _Schema | UnsetType = UNSET
    additional_properties: _Schema | UnsetType = UNSET


class _Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    type: Literal["object"]
    properties: dict[str, _Schema]
    required: list[str]


class _Function(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    description: str
    parameters: _Parameters


class _Tool(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    type: Literal["function"]
    function: _Function


class _Description(msgspec.Struct, frozen=True):
    kind: Kind
    title: str
    skill: str
    hint: str
    max_turns: Annotated[int, msgspec.Meta(ge=1)]
    tools: list[_Tool]


class _Call(msgspec.Struct, frozen=True):
    name: str
    arguments: dict[str, Any]
    problem: str = ""


class _ToolAction(msgspec.Struct, frozen=True):
    text: str = ""
    calls: list[_Call] = []


_decode_description = msgspec.json.Decoder(_Description).decode
decode_info = msgspec.json.Decoder(dict[str, Any]).decode
_decode_plan = msgspec.json.Decoder(list[str | _ToolAction]).decode


def wire_actions(kind: Kind, actions: Sequence[Action]) -> list[object]:
    """Actions as a program's `step` receives them: plain data, never objects."""
    if kind == "game":
        return [action.text for action in actions]
    return [{"text": action.text, "calls": [_wire_call(call) for call in action.calls]} for action in actions]


def _wire_call(call: ToolCall) -> dict[str, object]:
    if _is_deep(call.arguments):
        # The encoder would give up on it, and no tool takes such a value.
        return {"name": call.name, "arguments": {}, "problem": _TOO_DEEP}
    return {"name": call.name, "arguments": dict(call.arguments), "problem": call.problem}


def _is_deep(value: JSON | Mapping[str, JSON], left: int = MAX_DEPTH) -> bool:
    if not isinstance(value, (list, dict)):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return left <= 0 or any(_is_deep(item, left - 1) for item in inner)


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
        tools=tuple(msgspec.to_builtins(tool) for tool in read.tools),
    )


def read_fault(fault: wire.Fault) -> ProgramFault:
    return ProgramFault(kind=fault.kind, message=fault.message, traceback=fault.traceback)


def read_observations(rows: wire.Rows, share: Share) -> list[Observation | ProgramFault]:
    """First observations, in the order of the request."""
    asides = _asides(rows, share, numbers=0)
    return [_observation(asides.get(position), text) for position, text in enumerate(rows.texts)]


def read_steps(rows: wire.Rows, share: Share) -> list[StepResult | ProgramFault]:
    """What one turn of each instance brought, in the order of the request."""
    asides = _asides(rows, share, numbers=share.instances)
    columns = zip(rows.texts, rows.rewards, rows.ends, strict=True)
    if not asides and not any(rows.ends) and all(0.0 <= reward <= 1.0 for reward in rows.rewards):
        # The middle of most episodes: nothing to look at row by row.
        return [
            StepResult(observation=Observation(text=text), reward=reward, terminated=False)
            for text, reward, _ in columns
        ]
    return [_step(asides.get(position), *row) for position, row in enumerate(columns)]


def read_plans(rows: wire.Rows, share: Share) -> list[list[Action] | ProgramFault]:
    asides = _asides(rows, share, numbers=0)
    plans: list[list[Action] | ProgramFault] = []
    for position, text in enumerate(rows.texts):
        aside = asides.get(position)
        faulted = aside.fault if aside is not None else None
        plans.append(_plan(text) if faulted is None else read_fault(faulted))
    return plans


def read_infos(rows: wire.Rows, instances: int) -> list[str]:
    """The report of each instance as JSON text, of a reply that was read before."""
    told = {aside.position: aside.info for aside in rows.asides}
    return [told.get(position, "") for position in range(instances)]


def _asides(rows: wire.Rows, share: Share, *, numbers: int) -> Mapping[int, wire.Aside]:
    """What some instances say beside, by position, of a reply that answers the question.

    Raises ProtocolViolation where it does not, or where one instance sends more than its own share.
    """
    if len(rows.texts) != share.instances or len(rows.rewards) != numbers or len(rows.ends) != numbers:
        raise ProtocolViolation(f"a reply for {len(rows.texts)} instances where {share.instances} were asked")
    before = -1
    for aside in rows.asides:
        if not before < aside.position < share.instances:
            raise ProtocolViolation(f"an aside of instance {aside.position} where {share.instances} were asked")
        before = aside.position
        said = aside.fault or wire.Fault("", "", "")
        words = (rows.texts[before], *aside.results, aside.info, said.kind, said.message, said.traceback)
        _check_share(words, share)
    _check_share((rows.prints,), share)
    if max(map(len, rows.texts), default=0) * _UTF8_MOST > share.bytes_each:
        for text in rows.texts:
            _check_share((text,), share)
    return {aside.position: aside for aside in rows.asides}


def _check_share(words: Sequence[str], share: Share) -> None:
    if sum(map(len, words)) * _UTF8_MOST <= share.bytes_each:
        return
    size = sum(len(word.encode()) for word in words)
    if size > share.bytes_each:
        raise ProtocolViolation(f"one instance sent {size} bytes where {share.bytes_each} may cross")


def _observation(aside: wire.Aside | None, text: str) -> Observation | ProgramFault:
    if aside is None:
        return Observation(text=text)
    if aside.fault is not None:
        return read_fault(aside.fault)
    return Observation(text=text, results=tuple(aside.results))


def _step(aside: wire.Aside | None, text: str, reward: float, ends: int) -> StepResult | ProgramFault:
    observation = _observation(aside, text)
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
    if any(_is_deep(call.arguments) for move in moves if isinstance(move, _ToolAction) for call in move.calls):
        return ProgramFault(kind="contract", message=f"plan() has a call whose {_TOO_DEEP}")
    return [_planned_action(move) for move in moves]


def _planned_action(move: str | _ToolAction) -> Action:
    if isinstance(move, str):
        return Action(text=move)
    calls = tuple(ToolCall(name=c.name, arguments=c.arguments, problem=c.problem) for c in move.calls)
    return Action(text=move.text, calls=calls)
