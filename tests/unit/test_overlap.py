"""`run.overlap`: the next cycle is sampled while this one is learned from."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from openspade.config import RunConfig
from openspade.credit.creditor import Creditor
from openspade.engine.scripted import ScriptedEngine
from openspade.engine.watched import Progress
from openspade.memory.memory import Memory
from openspade.parts import Parts
from openspade.recipe import parse
from openspade.run import Run, RunArchive
from openspade.tokens import Trajectory
from openspade.types import Playtest, Verdict
from openspade.watchdog import Watchdog
from tests.fakes import a_brief, a_playtest
from tests.unit.memories import open_memory


@dataclass
class Stage:
    """Every part but the engine: one brief and one playtest a cycle; notes what happens in which order."""

    engine: SlowLearner
    notes: list[str] = field(default_factory=list)

    def briefs(self, cycle: int) -> list[object]:
        self.notes.append(f"sample {cycle}")
        self.engine.sampling.set()
        return [a_brief(f"brief{cycle}")]

    def replays(self, cycle: int) -> tuple[()]:
        return ()

    def state(self) -> Mapping[str, Any]:
        return {}

    def restore(self, state: Mapping[str, Any]) -> None: ...

    def metrics(self) -> Mapping[str, float]:
        return {}

    async def design(self, briefs: Sequence[object]) -> list[object]:
        return []

    async def verify(self, drafts: Sequence[object]) -> list[Verdict]:
        return []

    async def playtest(self, designs: Sequence[object], replays: Sequence[object], cycle: int) -> list[Playtest]:
        return [a_playtest([[0, 1]], [[1, 1]])]

    async def examine(self, cycle: int) -> Mapping[str, float]:
        self.notes.append(f"learned {cycle}")
        return {}


class SlowLearner(ScriptedEngine):
    """Its update ends only once somebody has begun to sample again: without overlap it never would."""

    def __init__(self, updates_that_wait: int) -> None:
        super().__init__(lambda _: "")
        self.sampling = asyncio.Event()
        self._waits = updates_that_wait

    async def learn(self, trajectories: Sequence[Trajectory]) -> Mapping[str, float]:
        if self.version < self._waits:
            self.sampling.clear()
            await asyncio.wait_for(self.sampling.wait(), timeout=10)
        return await super().learn(trajectories)


def a_run(memory: Memory, stage: Stage, **settings: int) -> Run:
    config = RunConfig.model_validate({"cycles": 3, **settings})
    part = cast("Any", stage)
    creditor = Creditor(parse({}))
    archive = RunArchive(memory=memory, engine=stage.engine, keep=2, curriculum=part, creditor=creditor)
    parts = Parts(
        curriculum=part,
        designer=part,
        verifier=part,
        playtester=part,
        creditor=creditor,
        engine=stage.engine,
        examiner=part,
        archive=archive,
    )
    watchdog = Watchdog(Progress(), timeout_s=0, memory=memory)
    return Run(config=config, parts=parts, archive=archive, memory=memory, watchdog=watchdog)


async def test_the_next_cycle_is_sampled_during_the_update_and_never_further_ahead(tmp_path: Path):
    stage = Stage(SlowLearner(updates_that_wait=2))
    with open_memory(tmp_path) as memory:
        reports = [report async for report in a_run(memory, stage, overlap=1).cycles()]
    assert [report.cycle for report in reports] == [0, 1, 2]
    assert stage.notes[1:] == ["sample 0", "sample 1", "learned 0", "sample 2", "learned 1", "learned 2"]


async def test_without_overlap_a_cycle_is_learned_before_the_next_is_sampled(tmp_path: Path):
    stage = Stage(SlowLearner(updates_that_wait=0))
    with open_memory(tmp_path) as memory:
        _ = [report async for report in a_run(memory, stage).cycles()]
    assert stage.notes[1:3] == ["sample 0", "learned 0"]


async def test_a_stop_drops_what_was_sampled_ahead(tmp_path: Path):
    stage = Stage(SlowLearner(updates_that_wait=1))
    with open_memory(tmp_path) as memory:
        run = a_run(memory, stage, overlap=1)
        async for _ in run.cycles():
            run.stop_after_cycle()
        assert memory.last_cycle() == 0
