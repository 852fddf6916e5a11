"""An engine whose calls count as progress, so that a watchdog can tell a long step from a dead server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from openspade.engine.base import Capabilities, Chat, Engine
from openspade.progress import Progress
from openspade.tokens import Completion, Prompt, TokenStream, Trajectory


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
