"""All cycles of one config: resume, stop cleanly, and keep every finished cycle whole."""

from __future__ import annotations

import logging
import shutil
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Protocol

from openspade.engine.base import Engine
from openspade.errors import StorageError
from openspade.memory.memory import Memory
from openspade.parts import Parts
from openspade.selfplay import play_cycle
from openspade.tokens import JSON
from openspade.types import CycleReport

log = logging.getLogger(__name__)

NOTHING_TO_LEARN = (
    "no group of rewards had any spread, so nothing was learned; more plays or drafts, or other levels, may help"
)


class Stateful(Protocol):
    """A part that remembers something between cycles."""

    def state(self) -> Mapping[str, JSON]: ...

    def restore(self, state: Mapping[str, JSON]) -> None: ...


class RunArchive:
    """Keeps cycles: weights are written aside and renamed first, then one database commit makes the cycle count.

    A kill before the commit leaves the database at the last whole cycle, whose checkpoint is still there.
    """

    def __init__(
        self, *, directory: Path, memory: Memory, engine: Engine, keep: int, parts: Mapping[str, Stateful]
    ) -> None:
        self._directory = directory
        self._memory = memory
        self._engine = engine
        self._keep = keep
        self._parts = parts

    async def remember(self, report: CycleReport) -> None:
        """Commit one cycle. Raises StorageError when the disk refuses; the cycle is then lost, nothing else."""
        name = f"cycle_{report.cycle:06d}"
        try:
            await self._save_weights(name)
        except OSError as error:
            raise StorageError(f"checkpoint {name} cannot be written to {self._checkpoints}: {error}") from None
        state: dict[str, JSON] = {part: dict(owner.state()) for part, owner in self._parts.items()}
        self._memory.commit(report, state=state, checkpoint=name)
        if not report.credit.trajectories:
            self._memory.record_event(report.cycle, "untrained", NOTHING_TO_LEARN)
            log.warning("cycle %s: %s", report.cycle, NOTHING_TO_LEARN)
        self._prune()

    async def recall(self) -> int:
        """Load the last whole cycle into the parts; the number of the cycle to play next."""
        if self._memory.last_cycle() < 0:
            return 0
        await self._engine.load(self._checkpoints / self._memory.checkpoint())
        state = self._memory.state()
        for part, owner in self._parts.items():
            saved = state.get(part, {})
            owner.restore(saved if isinstance(saved, dict) else {})
        return self._memory.last_cycle() + 1

    @property
    def _checkpoints(self) -> Path:
        return self._directory / "checkpoints"

    async def _save_weights(self, name: str) -> None:
        aside = self._checkpoints / f".{name}.partial"
        shutil.rmtree(aside, ignore_errors=True)
        aside.mkdir(parents=True)
        await self._engine.save(aside)
        shutil.rmtree(self._checkpoints / name, ignore_errors=True)
        aside.rename(self._checkpoints / name)

    def _prune(self) -> None:
        for old in sorted(self._checkpoints.glob("cycle_*"))[: -self._keep]:
            shutil.rmtree(old, ignore_errors=True)


class Run:
    """The cycles still to play, one report after another."""

    def __init__(self, *, directory: Path, cycles: int, parts: Parts, archive: RunArchive, memory: Memory) -> None:
        self.directory = directory
        self.cycles_wanted = cycles
        self.memory = memory
        self.parts = parts
        self._archive = archive
        self._stop = False

    async def cycles(self) -> AsyncIterator[CycleReport]:
        """Play from where the run stands to its last cycle. Each report is already safe on disk."""
        start = await self._archive.recall()
        if start == 0 and not self.memory.evaluations():
            await self.parts.examiner.examine(-1)
        for cycle in range(start, self.cycles_wanted):
            if self._stop:
                return
            yield await play_cycle(self.parts, cycle)

    def stop_after_cycle(self) -> None:
        """Finish and keep the running cycle, then end."""
        self._stop = True
