"""A program in its child, as the rest of the code plays it: K instances, one message for all of their turns."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar, overload

import msgspec

from openspade.sandbox import wire
from openspade.sandbox.failures import ChildDied as ChildDied
from openspade.sandbox.failures import DeadlineExceeded as DeadlineExceeded
from openspade.sandbox.failures import ProgramError as ProgramError
from openspade.sandbox.failures import ProgramFault as ProgramFault
from openspade.sandbox.failures import ProtocolViolation as ProtocolViolation
from openspade.sandbox.failures import SandboxFailure as SandboxFailure
from openspade.sandbox.host.deadline import Allowance
from openspade.sandbox.host.link import ChildLink
from openspade.sandbox.host.messages import EnvironmentDescription as EnvironmentDescription
from openspade.sandbox.host.messages import (
    Share,
    decode_info,
    read_infos,
    read_observations,
    read_plans,
    read_steps,
    wire_actions,
)
from openspade.sandbox.isolation.walls import frame_limit
from openspade.tokens import JSON
from openspade.types import Action, Observation, StepResult

_RECYCLE_EPISODES = 1000
_BURIAL_S = 5.0
Read = TypeVar("Read")


@dataclass(frozen=True, kw_only=True, slots=True)
class Bounds:
    """CPU seconds for loading a program and for one instance's turn, the clock's `wall_factor`, bytes an instance."""

    open_s: float
    step_s: float
    wall_factor: float
    instance_bytes: int

    def loading(self) -> Allowance:
        return Allowance(cpu_s=self.open_s, wall_s=self.open_s * self.wall_factor)

    def turns(self, instances: int) -> Allowance:
        return Allowance(cpu_s=self.step_s, wall_s=self.step_s * self.wall_factor, instances=instances)

    def share(self, instances: int) -> Share:
        return Share(instances=instances, bytes_each=self.instance_bytes)

    def frame(self, instances: int) -> int:
        return frame_limit(self.instance_bytes, instances)


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
        bounds: Bounds,
        reopen: Callable[[], Awaitable[ChildLink]],
    ) -> None:
        self.link = link
        self.bounds = bounds
        self._reopen = reopen
        self._episodes = 0
        self._worn_s = 0.0
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
        return self.link.alive

    @property
    def cpu_s(self) -> float:
        """CPU seconds of all its children so far, loading included; 0 where the kernel does not say."""
        return self._worn_s + self.link.cpu_s

    async def close(self) -> None:
        """Kills the child and waits until it is gone."""
        self.link.kill(ChildDied("the environment was closed"))
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.link.gone.wait(), _BURIAL_S)

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
        first = await self._ask((wire.RESET, indices, list(wanted.values())), indices, read_observations)
        return dict(zip(indices, first, strict=True)) if isinstance(seeds, Mapping) else first

    async def step(self, actions: Mapping[int, Action]) -> dict[int, StepResult | ProgramFault]:
        """One turn of each instance named."""
        indices = list(actions)
        moves = wire_actions(self.description.kind, list(actions.values()))
        steps = await self._ask((wire.STEP, indices, moves), indices, read_steps)
        return dict(zip(indices, steps, strict=True))

    async def plan(self, instances: Sequence[int] | None = None) -> dict[int, list[Action] | ProgramFault]:
        """The oracle's actions for the current instance of each (default: all), to be played in order."""
        indices = list(range(self.instances) if instances is None else instances)
        plans = await self._ask((wire.PLAN, indices), indices, read_plans)
        return dict(zip(indices, plans, strict=True))

    def info(self, instance: int) -> Mapping[str, JSON]:
        """What the instance last reported beside its observation: for the verifier, never for the Agent."""
        try:
            # Refuses halves of characters too, which could be neither stored nor shown.
            return decode_info(self._info.get(instance, "") or "{}")
        except (msgspec.DecodeError, RecursionError):
            return {}

    async def _ask(
        self, message: tuple[object, ...], indices: list[int], read: Callable[[wire.Rows, Share], list[Read]]
    ) -> list[Read]:
        if indices and not (min(indices) >= 0 and max(indices) < self.instances):
            raise ValueError(f"instances {indices} of an environment with {self.instances}")
        count = len(indices)

        def read_rows(body: bytes) -> list[Read]:
            rows = wire.decode_rows(body)
            answers = read(rows, self.bounds.share(count))
            self.prints = rows.prints
            if rows.asides or self._info:
                self._info.update(zip(indices, read_infos(rows, count), strict=True))
            return answers

        return await self.link.ask(
            message, read_rows, allowance=self.bounds.turns(count), frame_limit=self.bounds.frame(count)
        )

    async def _recycle_when_worn(self, episodes: int) -> None:
        """After many episodes a reset of all instances moves to a fresh child: leaks and hoards end there."""
        self._episodes += episodes
        if self._episodes <= _RECYCLE_EPISODES or episodes != self.instances or not self.link.alive:
            return
        worn, self.link = self.link, await self._reopen()
        self._worn_s += worn.cpu_s
        self._episodes = episodes
        worn.kill(ChildDied("recycled"))
