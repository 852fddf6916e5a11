"""What a sandbox promises, wherever its children run: on this machine, or on every node of a cluster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Protocol, Self, overload

from openspade.sandbox.failures import ProgramFault
from openspade.sandbox.host.messages import EnvironmentDescription
from openspade.tokens import JSON
from openspade.types import Action, Observation, StepResult


class Environment(Protocol):
    """K instances of one program. A fault of one is a value in its place; a lost child raises a SandboxFailure."""

    @property
    def description(self) -> EnvironmentDescription: ...

    @property
    def instances(self) -> int: ...

    @property
    def prints(self) -> str: ...

    @property
    def cpu_s(self) -> float: ...

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...

    @overload
    async def reset(self, seeds: Mapping[int, int]) -> dict[int, Observation | ProgramFault]: ...

    @overload
    async def reset(self, seeds: Sequence[int]) -> list[Observation | ProgramFault]: ...

    async def step(self, actions: Mapping[int, Action]) -> dict[int, StepResult | ProgramFault]: ...

    async def plan(self, instances: Sequence[int] | None = None) -> dict[int, list[Action] | ProgramFault]: ...

    def info(self, instance: int) -> Mapping[str, JSON]: ...

    async def close(self) -> None: ...


class Sandbox(Protocol):
    """Opens programs. `walls` and `grade` tell how well they are confined."""

    @property
    def walls(self) -> Mapping[str, str]: ...

    @property
    def grade(self) -> str: ...

    async def open(
        self, source: str, instances: int = 1, *, hash_seed: int = 0, fresh: bool = False, shared: bool = False
    ) -> Environment:
        """A program in a child of its own, each episode in a module of its own unless `shared`. Raises ProgramError."""
        ...

    async def transcript(
        self, source: str, seed: int, actions: Sequence[Action], *, hash_seed: int = 0
    ) -> tuple[Observation | StepResult | ProgramFault, ...]:
        """What one instance shows from reset on, alone in a fresh child."""
        ...
