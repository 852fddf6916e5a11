"""One cycle of self-play, top to bottom: `play`, then `learn`. Read this first."""

from __future__ import annotations

from openspade.metrics import Laps, cycle_metrics
from openspade.parts import Parts
from openspade.types import CycleReport, Played


async def play(parts: Parts, cycle: int) -> Played:
    """The half of a cycle that samples: environments, and episodes in them."""
    laps = Laps()

    # Brief: a skill, a document that keeps topics broad, and what the memory holds that helps or warns.
    briefs = parts.curriculum.briefs(cycle)
    state, measured = parts.curriculum.state(), parts.curriculum.metrics()

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

    return Played(
        cycle=cycle,
        briefs=tuple(briefs),
        verdicts=tuple(verdicts),
        playtests=tuple(playtests),
        curriculum=state,
        metrics={**measured, **cycle_metrics(verdicts, playtests), **laps.metrics()},
    )


async def learn(parts: Parts, played: Played) -> CycleReport:
    """The half that learns from it, and keeps it."""
    laps = Laps()

    # Credit: the regret pays the Designer, the unaided return pays the Agent.
    credit = parts.creditor.credit(played.cycle, played.verdicts, played.playtests, parts.engine.version)

    # Update: one step on both roles' trajectories together; they are one set of weights.
    learned = await parts.engine.learn(credit.trajectories)
    laps.lap("learn")

    # Examine: held-out tasks tell whether learning carries beyond the run's own designs.
    heldout = await parts.examiner.examine(played.cycle)
    laps.lap("examine")

    # Remember: designs, verdicts, statistics, cursors and weights, as one unit.
    report = CycleReport(
        cycle=played.cycle,
        briefs=played.briefs,
        verdicts=played.verdicts,
        playtests=played.playtests,
        credit=credit,
        curriculum=played.curriculum,
        metrics=laps.added_to({**played.metrics, **credit.metrics, **learned, **heldout}),
    )
    await parts.archive.remember(report)
    return report
