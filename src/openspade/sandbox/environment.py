"""A program in its child, as the rest of the code plays it: K instances, one message for all of their turns."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

import msgspec

from openspade.sandbox import wire
from openspade.sandbox.deadline import Allowance
from openspade.sandbox.failures import ChildDied as ChildDied
from openspade.sandbox.failures import DeadlineExceeded as DeadlineExceeded
from openspade.sandbox.failures import ProgramError as ProgramError
from openspade.sandbox.failures import ProgramFault as ProgramFault
from openspade.sandbox.failures import ProtocolViolation as ProtocolViolation
from openspade.sandbox.failures import SandboxFailure as SandboxFailure
from openspade.sandbox.link import ChildLink
from openspade.sandbox.walls import frame_limit
from openspade.types import JSON, Action, Kind, Observation, StepResult, ToolCall

_RECYCLE_EPISODES = 1000
_TERMINATED, _TRUNCATED = 1, 2
_BOTH = _TERMINATED | _TRUNCATED


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
class Deadlines:
    """CPU seconds for loading a program and for one instance's turn; `wall_factor` times as long by the clock."""

    open_s: float
    step_s: float
    wall_factor: float

    def loading(self) -> Allowance:
        return Allowance(cpu_s=self.open_s, wall_s=self.open_s * self.wall_factor)

    def step(self, instances: int) -> Allowance:
        return Allowance(cpu_s=self.step_s, wall_s=self.step_s * self.wall_factor, instances=instances)


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


_read_description = msgspec.json.Decoder(_Description).decode
_read_plan = msgspec.json.Decoder(list[str | _ToolAction]).decode


def described(text: str) -> EnvironmentDescription | ProgramFault:
    """A program's description of itself, or why it cannot be believed."""
    try:
        read = _read_description(text)
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


def wire_action(kind: Kind, action: Action) -> object:
    """An action as the program's `step` receives it: plain data, never an object."""
    if kind == "game":
        return action.text
    calls = [{"name": c.name, "arguments": dict(c.arguments), "problem": c.problem} for c in action.calls]
    return {"text": action.text, "calls": calls}


def _fault(fault: wire.Fault) -> ProgramFault:
    return ProgramFault(kind=fault.kind, message=fault.message, traceback=fault.traceback)


def _planned(text: str) -> list[Action] | ProgramFault:
    try:
        moves = _read_plan(text)
    except (msgspec.DecodeError, RecursionError) as error:
        return ProgramFault(kind="contract", message=f"plan() is no list of actions: {error}")
    return [_planned_action(move) for move in moves]


def _planned_action(move: str | _ToolAction) -> Action:
    if isinstance(move, str):
        return Action(text=move)
    calls = tuple(ToolCall(name=c.name, arguments=c.arguments, problem=c.problem) for c in move.calls)
    return Action(text=move.text, calls=calls)


class SandboxedEnvironment:
    """K instances of one program. A fault of one is a value in its place; a lost child raises a SandboxFailure.

    Several tasks may use it at once: their requests take turns.
    """

    def __init__(
        self,
        link: ChildLink,
        *,
        description: EnvironmentDescription,
        instances: int,
        deadlines: Deadlines,
        instance_bytes: int,
        reopen: Callable[[], Awaitable[ChildLink]],
    ) -> None:
        self._link = link
        self._deadlines = deadlines
        self._instance_bytes = instance_bytes
        self._reopen = reopen
        self._episodes = 0
        self._info: dict[int, str] = {}
        self.description = description
        self.instances = instances
        self.prints = ""
        """What the program printed in its last message, cut."""

    async def __aenter__(self) -> SandboxedEnvironment:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def alive(self) -> bool:
        return self._link.alive

    async def close(self) -> None:
        """Kills the child and waits until it is gone."""
        self._link.kill(ChildDied("the environment was closed"))
        await self._link.gone.wait()

    @overload
    async def reset(self, seeds: Sequence[int]) -> list[Observation | ProgramFault]: ...
    @overload
    async def reset(self, seeds: Mapping[int, int]) -> dict[int, Observation | ProgramFault]: ...
    async def reset(
        self, seeds: Sequence[int] | Mapping[int, int]
    ) -> list[Observation | ProgramFault] | dict[int, Observation | ProgramFault]:
        """First observations: one a seed for a sequence, or of the instances named by a mapping."""
        wanted = seeds if isinstance(seeds, Mapping) else dict(enumerate(seeds))
        if not isinstance(seeds, Mapping) and len(wanted) != self.instances:
            raise ValueError(f"{len(wanted)} seeds for {self.instances} instances; name the instances in a mapping")
        await self._recycle_when_worn(len(wanted))
        indices = list(wanted)
        rows = await self._ask(wire.RESET, indices, list(wanted.values()))
        self._check_columns(rows, texts=len(indices), numbers=0)
        first: dict[int, Observation | ProgramFault] = {}
        for position, index in enumerate(indices):
            aside = rows.asides.get(position)
            if aside is None:
                first[index] = Observation(text=rows.texts[position])
            else:
                first[index] = self._with_aside(index, rows.texts[position], aside)
        return first if isinstance(seeds, Mapping) else list(first.values())

    async def step(self, actions: Mapping[int, Action]) -> dict[int, StepResult | ProgramFault]:
        """One turn of each instance named."""
        indices = list(actions)
        kind = self.description.kind
        if kind == "game":
            moves: list[object] = [action.text for action in actions.values()]
        else:
            moves = [wire_action(kind, action) for action in actions.values()]
        rows = await self._ask(wire.STEP, indices, moves)
        self._check_columns(rows, texts=len(indices), numbers=len(indices))
        results: dict[int, StepResult | ProgramFault] = {}
        columns = zip(indices, rows.texts, rows.rewards, rows.ends, strict=True)
        for position, (index, text, reward, ends) in enumerate(columns):
            observation: Observation | ProgramFault
            aside = rows.asides.get(position) if rows.asides else None
            if aside is None:
                observation = Observation(text=text)
            else:
                observation = self._with_aside(index, text, aside)
                if isinstance(observation, ProgramFault):
                    results[index] = observation
                    continue
            # Also false for NaN.
            if not 0.0 <= reward <= 1.0:
                message = f"a reward of {reward!r}; rewards must be finite and within [0, 1]"
                results[index] = ProgramFault(kind="reward_range", message=message)
                continue
            results[index] = StepResult(
                observation=observation,
                reward=reward,
                terminated=bool(ends & _TERMINATED),
                truncated=bool(ends & _TRUNCATED),
            )
        return results

    async def plan(self, instances: Sequence[int] | None = None) -> dict[int, list[Action] | ProgramFault]:
        """The oracle's actions for the current instance of each (default: all), to be played in order."""
        indices = list(range(self.instances) if instances is None else instances)
        rows = await self._ask(wire.PLAN, indices)
        self._check_columns(rows, texts=len(indices), numbers=0)
        plans: dict[int, list[Action] | ProgramFault] = {}
        for position, index in enumerate(indices):
            aside = rows.asides.get(position)
            faulted = aside is not None and aside.fault is not None
            plans[index] = _fault(aside.fault) if faulted else _planned(rows.texts[position])  # type: ignore[union-attr]
        return plans

    def info(self, instance: int) -> Mapping[str, JSON]:
        """What the instance last reported beside its observation: for the verifier, never for the Agent."""
        try:
            read = json.loads(self._info.get(instance, "") or "{}")
        except (ValueError, RecursionError):
            return {}
        return read if isinstance(read, dict) else {}

    # --- one message ------------------------------------------------------------------------------

    async def _ask(self, operation: str, indices: list[int], *columns: list[Any]) -> wire.Rows:
        if not all(0 <= index < self.instances for index in indices):
            raise ValueError(f"instances {indices} of an environment with {self.instances}")
        rows = await self._link.ask(
            (operation, indices, *columns),
            wire.decode_rows,
            allowance=self._deadlines.step(len(indices)),
            frame_limit=frame_limit(self._instance_bytes, len(indices)),
        )
        self.prints = rows.prints
        return rows

    def _check_columns(self, rows: wire.Rows, *, texts: int, numbers: int) -> None:
        if len(rows.texts) != texts or len(rows.rewards) != numbers or len(rows.ends) != numbers:
            raise self._link.violate(f"a reply for {len(rows.texts)} instances where {texts} were asked")

    def _with_aside(self, index: int, text: str, aside: wire.Aside) -> Observation | ProgramFault:
        if aside.fault is not None:
            return _fault(aside.fault)
        self._info[index] = aside.info
        return Observation(text=text, results=tuple(aside.results))

    async def _recycle_when_worn(self, episodes: int) -> None:
        """After many episodes a reset of all instances moves to a fresh child: leaks and hoards end there."""
        self._episodes += episodes
        if self._episodes <= _RECYCLE_EPISODES or episodes != self.instances or not self._link.alive:
            return
        worn, self._link = self._link, await self._reopen()
        self._episodes = episodes
        worn.kill(ChildDied("recycled"))
