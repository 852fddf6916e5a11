"""One cycle of self-play, top to bottom. Read this first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from openspade.credit.creditor import Creditor
from openspade.curriculum.briefs import Curriculum
from openspade.engine.base import Engine
from openspade.metrics import Laps, cycle_metrics
from openspade.roles.designer import Designer
from openspade.types import CycleReport, Design, Draft, Playtest, Verdict


class Judge(Protocol):
    """May a draft be played, and why not."""

    async def verify(self, drafts: Sequence[Draft]) -> list[Verdict]: ...


class Tester(Protocol):
    """Plays new designs in both arms, and past ones again."""

    async def playtest(self, designs: Sequence[Design], replays: Sequence[Design], cycle: int) -> list[Playtest]: ...


class Examiner(Protocol):
    """Scores the policy on held-out tasks, in the cycles in which that is due."""

    async def examine(self, cycle: int) -> Mapping[str, float]: ...


class Archive(Protocol):
    """Keeps a cycle: all of it or nothing."""

    async def remember(self, report: CycleReport) -> None: ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Parts:
    """Everything the loop is made of; assembly.py chooses."""

    curriculum: Curriculum
    designer: Designer
    verifier: Judge
    playtester: Tester
    creditor: Creditor
    engine: Engine
    examiner: Examiner
    archive: Archive


async def play_cycle(parts: Parts, cycle: int) -> CycleReport:
    """Design, play, learn: one policy writes environments, plays them, and learns from both."""
    laps = Laps()

    # Brief: a skill, a document that keeps topics broad, and what the memory holds that helps or warns.
    briefs = parts.curriculum.briefs(cycle)

    # Draft: several answers to each brief, so that they can be compared with each other.
    drafts = await parts.designer.design(briefs)
    laps.lap("draft")

    # Verdict: gates decide what may be played; what they refuse stays as a sample the Designer learns from.
    verdicts = await parts.verifier.verify(drafts)
    laps.lap("verify")

    # Playtest: the same seeds without and with the hint, so that luck cancels in the regret.
    accepted = [v.draft.design for v in verdicts if v.accepted and v.draft.design]
    playtests = await parts.playtester.playtest(accepted, parts.curriculum.replays(cycle), cycle)
    laps.lap("playtest")

    # Credit: the regret pays the Designer, the unaided return pays the Agent.
    credit = parts.creditor.credit(cycle, verdicts, playtests)

    # Update: one step on both roles' trajectories together; they are one set of weights.
    learned = await parts.engine.learn(credit.trajectories)
    laps.lap("learn")

    # Examine: held-out tasks tell whether learning carries beyond the run's own designs.
    heldout = await parts.examiner.examine(cycle)
    laps.lap("examine")

    # Remember: designs, verdicts, statistics, cursors and weights, as one unit.
    measured = (parts.curriculum.metrics(), cycle_metrics(verdicts, playtests), credit.metrics, learned, heldout)
    metrics = {name: value for group in (*measured, laps.metrics()) for name, value in group.items()}
    report = CycleReport(
        cycle=cycle,
        briefs=tuple(briefs),
        verdicts=tuple(verdicts),
        playtests=tuple(playtests),
        credit=credit,
        metrics=metrics,
    )
    await parts.archive.remember(report)
    return report
