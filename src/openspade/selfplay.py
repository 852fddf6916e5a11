"""One cycle of self-play, top to bottom: `play`, then `learn`. Read this first."""

from __future__ import annotations

from openspade.metrics.cycle import cycle_metrics
from openspade.metrics.stage_timer import StageTimer
from openspade.parts import Parts
from openspade.types import CycleReport, Played


async def play(parts: Parts, cycle: int) -> Played:
    """The half of a cycle that samples: environments, and episodes in them."""
    timer = StageTimer()

    # Brief: a skill, a document that keeps topics broad, and what the memory holds that helps or warns.
    briefs = parts.curriculum.briefs(cycle)
    state, measured = parts.curriculum.state(), parts.curriculum.metrics()

    # Draft: several answers to each brief, so that they can be compared with each other.
    drafts = await parts.designer.design(briefs)
    timer.mark("draft")

    # Verdict: gates decide what may be played; what they refuse stays as a sample the Designer learns from.
    verdicts = await parts.verifier.verify(drafts)
    timer.mark("verify")

    # Playtest: the same seeds without and with the hint, so that luck cancels in the regret.
    accepted = [v.draft.design for v in verdicts if v.accepted and v.draft.design]
    playtests = await parts.playtester.playtest(accepted, parts.curriculum.replays(cycle), cycle)
    timer.mark("playtest")

    return Played(
        cycle=cycle,
        briefs=tuple(briefs),
        verdicts=tuple(verdicts),
        playtests=tuple(playtests),
        curriculum=state,
        metrics={**measured, **cycle_metrics(verdicts, playtests), **timer.metrics()},
    )


async def learn(parts: Parts, played: Played) -> CycleReport:
    """The half that learns from it, and keeps it."""
    timer = StageTimer()

    # Credit: the regret pays the Designer, the unaided return pays the Agent.
    credit = parts.creditor.credit(played.cycle, played.verdicts, played.playtests, parts.engine.version)

    # Update: one step on both roles' trajectories together; they are one set of weights.
    learned = await parts.engine.learn(credit.trajectories)
    timer.mark("learn")

    # Examine: held-out tasks tell whether learning carries beyond the run's own designs.
    heldout = await parts.examiner.examine(played.cycle)
    timer.mark("examine")

    # Remember: designs, verdicts, statistics, cursors and weights, as one unit.
    report = CycleReport(
        cycle=played.cycle,
        briefs=played.briefs,
        verdicts=played.verdicts,
        playtests=played.playtests,
        credit=credit,
        curriculum=played.curriculum,
        metrics=timer.added_to({**played.metrics, **credit.metrics, **learned, **heldout}),
    )
    await parts.archive.remember(report)
    return report
