"""People at play: each sits at a table with one instance of an environment, which runs behind the sandbox's wall."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from openspade.sandbox.failures import ProgramFault, SandboxFailure
from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.sandbox.host.sandboxed_environment import EnvironmentDescription, SandboxedEnvironment
from openspade.settings.worlds import SandboxConfig
from openspade.types import Action, Observation, StepResult

MAX_SESSIONS = 8
"""More people than that at once, and whoever was idle longest gives up the seat."""
IDLE_S = 1800.0


class NoSuchSession(Exception):
    """The game was given up, or the dashboard was started again since."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Move:
    """What the person did, and what came back."""

    action: Action
    observation: Observation
    reward: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Opening:
    """What is to be played."""

    slug: str
    design_id: str
    source: str
    seed: int
    hinted: bool
    numpy: bool


@dataclass(kw_only=True)
class PlaySession:
    """One game. `ending` says how it went, "" while it goes on; `solution` is shown once it was asked for."""

    id: str
    opening: Opening
    environment: SandboxedEnvironment
    first: Observation
    moves: list[Move] = field(default_factory=list)
    ending: str = ""
    solved: bool = False
    peeked: bool = False
    solution: Sequence[Action] = ()
    used_at: float = 0.0
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def description(self) -> EnvironmentDescription:
        return self.environment.description

    @property
    def turns_left(self) -> int:
        return self.description.max_turns - len(self.moves)


class PlaySessions:
    """Tables by id, under the viewer's limits. The sandbox starts with the first game; `close` ends all of it."""

    def __init__(self, limits: SandboxConfig) -> None:
        self._limits = limits.model_copy(update={"workers": 1})
        self._tables: dict[str, PlaySession] = {}
        self._pools: dict[bool, SandboxPool] = {}
        self._starting = asyncio.Lock()

    async def sit_down(self, opening: Opening) -> PlaySession | str:
        """A new game; where the program cannot start, why. Raises SandboxError where nothing may run here.

        One at a time: whoever comes together with many others gets no more than there are tables.
        """
        async with self._starting:
            return await self._sit_down(opening)

    async def _sit_down(self, opening: Opening) -> PlaySession | str:
        await self._make_room()
        pool = await self._pool(opening.numpy)
        try:
            environment = await pool.open(opening.source)
        except SandboxFailure as failure:
            return f"The environment could not be loaded: {failure}"
        try:
            (first,) = await environment.reset([opening.seed])
        except SandboxFailure as failure:
            await environment.close()
            return f"The environment could not start: {failure}"
        if isinstance(first, ProgramFault):
            await environment.close()
            return f"The environment could not start: {first.message}"
        table = PlaySession(id=secrets.token_urlsafe(12), opening=opening, environment=environment, first=first)
        table.used_at = time.monotonic()
        self._tables[table.id] = table
        return table

    def table(self, table_id: str) -> PlaySession:
        """Raises NoSuchSession."""
        try:
            table = self._tables[table_id]
        except KeyError:
            raise NoSuchSession(table_id) from None
        table.used_at = time.monotonic()
        return table

    async def move(self, table: PlaySession, action: Action) -> None:
        """Play one turn; the table says what came of it."""
        async with table.turn:
            if table.ending:
                return
            try:
                result = (await table.environment.step({0: action}))[0]
            except SandboxFailure as failure:
                await self._end(table, f"The environment failed: {failure}")
                return
            if isinstance(result, ProgramFault):
                await self._end(table, f"The environment failed: {result.message}")
                return
            table.moves.append(Move(action=action, observation=result.observation, reward=result.reward))
            await self._conclude(table, result)

    async def peek(self, table: PlaySession) -> None:
        """Show the oracle's moves."""
        async with table.turn:
            if table.ending or table.peeked:
                return
            try:
                plan = (await table.environment.plan())[0]
            except SandboxFailure as failure:
                await self._end(table, f"The environment failed: {failure}")
                return
            table.peeked = True
            table.solution = () if isinstance(plan, ProgramFault) else plan

    async def close(self) -> None:
        """End every game and the sandbox."""
        for table in list(self._tables.values()):
            await table.environment.close()
        self._tables.clear()
        for pool in self._pools.values():
            await pool.close()
        self._pools.clear()

    async def _conclude(self, table: PlaySession, result: StepResult) -> None:
        turns = len(table.moves)
        if result.terminated or result.truncated:
            table.solved = result.terminated and result.reward >= 1.0
            ending = f"Solved in {turns} {'turn' if turns == 1 else 'turns'}." if table.solved else "Not solved."
            await self._end(table, ending if table.solved else f"{ending} Reward {result.reward:g}.")
        elif table.turns_left <= 0:
            await self._end(table, f"Out of turns: {table.description.max_turns} is the limit.")

    async def _end(self, table: PlaySession, ending: str) -> None:
        table.ending = ending
        await table.environment.close()

    async def _make_room(self) -> None:
        oldest_first = sorted(self._tables.values(), key=lambda table: table.used_at)
        stale = [table for table in oldest_first if time.monotonic() - table.used_at > IDLE_S]
        surplus = oldest_first[: max(0, len(oldest_first) - MAX_SESSIONS + 1)]
        for table in {table.id: table for table in [*stale, *surplus]}.values():
            del self._tables[table.id]
            await table.environment.close()

    async def _pool(self, numpy: bool) -> SandboxPool:
        pool = self._pools.get(numpy)
        if pool is None:
            pool = SandboxPool(self._limits, numpy=numpy, warm=1)
            await pool.start()
            self._pools[numpy] = pool
        return pool
