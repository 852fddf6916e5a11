"""What a run waits for, and an engine whose calls count as progress: so a watchdog tells slow from dead."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from openspade.engine.base import Capabilities, Chat, Engine
from openspade.tokens import Completion, Prompt, TokenStream, Trajectory


class Progress:
    """Calls in flight and the time since the last one ended. One thread writes, another may read."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last = clock()
        self._numbers = itertools.count()
        self._pending: dict[int, tuple[str, float]] = {}

    @contextmanager
    def waiting_for(self, what: str) -> Iterator[None]:
        """Something is in flight; that it ends, well or badly, is progress."""
        number = next(self._numbers)
        self._pending[number] = (what, self._clock())
        try:
            yield
        finally:
            del self._pending[number]
            self.advance()

    def advance(self) -> None:
        """Something was done."""
        self._last = self._clock()

    def idle_s(self) -> float:
        """Seconds since anything was done."""
        return self._clock() - self._last

    def pending(self) -> list[tuple[str, float]]:
        """What is in flight, and for how many seconds, the oldest first."""
        now = self._clock()
        return sorted(((what, now - since) for what, since in self._pending.copy().values()), key=lambda item: -item[1])


class WatchedEngine:
    """Passes every call on and says what is in flight."""

    def __init__(self, engine: Engine, progress: Progress) -> None:
        self._engine = engine
        self._progress = progress

    @property
    def version(self) -> int:
        return self._engine.version

    @property
    def chat(self) -> Chat:
        return self._engine.chat

    @property
    def capabilities(self) -> Capabilities:
        return self._engine.capabilities

    async def sample(self, requests: Sequence[Prompt]) -> list[Completion]:
        with self._progress.waiting_for(f"the policy's answers to {len(requests)} requests"):
            return await self._engine.sample(requests)

    async def learn(self, trajectories: Sequence[Trajectory]) -> Mapping[str, float]:
        with self._progress.waiting_for(f"an update from {len(trajectories)} trajectories"):
            return await self._engine.learn(trajectories)

    async def logprobs(self, streams: Sequence[TokenStream], *, reference: bool = False) -> list[list[float]]:
        with self._progress.waiting_for(f"log-probs of {len(streams)} streams"):
            return await self._engine.logprobs(streams, reference=reference)

    async def save(self, directory: Path) -> None:
        with self._progress.waiting_for(f"a checkpoint in {directory}"):
            await self._engine.save(directory)

    async def load(self, directory: Path) -> None:
        with self._progress.waiting_for(f"weights from {directory}"):
            await self._engine.load(directory)
