"""All cycles of one config: resume, stop cleanly, and keep every finished cycle whole."""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Protocol

from openspade.config import RunConfig
from openspade.engine.base import Engine
from openspade.errors import StorageError
from openspade.memory.memory import Memory
from openspade.parts import Parts
from openspade.run_folder import CHECKPOINTS, START
from openspade.selfplay import learn, play
from openspade.tokens import JSON
from openspade.types import UNLIKE_ALONE, CycleReport, Played
from openspade.watchdog import Watchdog

log = logging.getLogger(__name__)

NOTHING_TO_LEARN = (
    "no group of rewards had any spread, so nothing was learned; more plays or drafts, or other levels, may help"
)

DISQUALIFIED = "design {} is disqualified: an episode of it, played again alone in a fresh child, went otherwise"


class Stateful(Protocol):
    """A part that remembers something between cycles."""

    def state(self) -> Mapping[str, JSON]: ...

    def restore(self, state: Mapping[str, JSON]) -> None: ...


class RunArchive:
    """Keeps cycles: weights are written aside and renamed first, then one database commit makes the cycle count.

    A kill before the commit leaves the database at the last whole cycle, whose checkpoint is still there.
    """

    def __init__(self, *, memory: Memory, engine: Engine, keep: int, curriculum: Stateful, creditor: Stateful) -> None:
        self._memory = memory
        self._engine = engine
        self._keep = keep
        self._curriculum = curriculum
        self._creditor = creditor

    async def remember(self, report: CycleReport) -> None:
        """Commit one cycle. Raises StorageError when the disk refuses; the cycle is then lost, nothing else."""
        name = f"cycle_{report.cycle:06d}"
        try:
            await self._save_weights(name)
        except OSError as error:
            raise StorageError(f"checkpoint {name} cannot be written to {self._checkpoints}: {error}") from None
        state: dict[str, JSON] = {"curriculum": dict(report.curriculum), "creditor": dict(self._creditor.state())}
        self._memory.commit(report, state=state, checkpoint=name)
        for playtest in report.playtests:
            if playtest.fault == UNLIKE_ALONE:
                self._memory.record_event(report.cycle, UNLIKE_ALONE, DISQUALIFIED.format(playtest.design.id[:8]))
        if not report.credit.trajectories:
            self._memory.record_event(report.cycle, "untrained", NOTHING_TO_LEARN)
            log.warning("cycle %s: %s", report.cycle, NOTHING_TO_LEARN)
        self._prune()

    async def recall(self) -> int:
        """Load the last whole cycle into the parts; the number of the cycle to play next."""
        if self._memory.last_cycle() < 0:
            if (self._checkpoints / START).is_dir():
                await self._engine.load(self._checkpoints / START)
            return 0
        await self._engine.load(self._checkpoints / self._memory.checkpoint())
        state = self._memory.state()
        for part, owner in (("curriculum", self._curriculum), ("creditor", self._creditor)):
            saved = state.get(part, {})
            owner.restore(saved if isinstance(saved, dict) else {})
        return self._memory.last_cycle() + 1

    @property
    def _checkpoints(self) -> Path:
        return self._memory.run_directory / CHECKPOINTS

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

    def __init__(
        self, *, config: RunConfig, parts: Parts, archive: RunArchive, memory: Memory, watchdog: Watchdog
    ) -> None:
        self.memory = memory
        self.parts = parts
        self._config = config
        self._archive = archive
        self._watchdog = watchdog
        self._stop = False

    async def cycles(self) -> AsyncIterator[CycleReport]:
        """Play from where the run stands to its last cycle. Each report is already safe on disk.

        With `run.overlap` a cycle is sampled while the one before it is learned from, by the weights before that.
        """
        with self._watchdog.watching():
            start = await self._archive.recall()
            if start == 0 and not self.memory.evaluations():
                await self.parts.examiner.examine(-1)
            ahead: asyncio.Task[Played] | None = None
            try:
                for cycle in range(start, self._config.cycles):
                    if self._stop:
                        return
                    self._watchdog.cycle(cycle)
                    played = await (ahead or play(self.parts, cycle))
                    more = self._config.overlap and not self._stop and cycle + 1 < self._config.cycles
                    ahead = asyncio.create_task(play(self.parts, cycle + 1)) if more else None
                    yield await learn(self.parts, played)
            finally:
                if ahead is not None:
                    ahead.cancel()
                    await asyncio.wait([ahead])

    def stop_after_cycle(self) -> None:
        """Finish and keep the running cycle, then end."""
        self._stop = True
