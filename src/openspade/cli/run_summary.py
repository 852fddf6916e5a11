"""What a run has shown so far, as the figures that a line, a panel and a machine all read."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import TYPE_CHECKING

from openspade.tokens import JSON
from openspade.types import CycleReport, Design, DesignStats

if TYPE_CHECKING:
    from openspade.memory.memory import Memory

SPEED_WINDOW = 20
"""Cycles whose mean time predicts the rest."""


@dataclass(frozen=True, kw_only=True, slots=True)
class HeldOut:
    """A held-out score with its interval; cycle -1 is before the first."""

    cycle: int
    score: float
    low: float
    high: float


@dataclass(kw_only=True, slots=True)
class Course:
    """Every cycle's metrics and every held-out score, from the database where the run is older than this process."""

    directory: str
    cycles_wanted: int
    cycles: list[Mapping[str, float]] = field(default_factory=list)
    heldout: list[HeldOut] = field(default_factory=list)
    latest: Design | None = None
    latest_stats: DesignStats | None = None
    solve_rates: Sequence[float] = ()
    """Unaided solve rates of the last cycle's designs that were played properly."""

    def read(self, memory: Memory) -> None:
        """Take over what is stored."""
        self.cycles = [metrics for _, metrics in memory.metrics()]
        self.read_scores(memory)

    def read_scores(self, memory: Memory) -> None:
        self.heldout = [
            HeldOut(
                cycle=cycle,
                score=scores.get("heldout/score", math.nan),
                low=scores.get("heldout/score_low", math.nan),
                high=scores.get("heldout/score_high", math.nan),
            )
            for cycle, _, scores in memory.evaluations()
        ]

    def add(self, report: CycleReport) -> None:
        """One more cycle."""
        self.cycles.append(report.metrics)
        accepted = accepted_designs(report)
        if accepted:
            self.latest = accepted[-1]
            self.latest_stats = report.credit.stats.get(accepted[-1].id)
        self.solve_rates = [stats.solve_rate for stats in report.credit.stats.values() if stats.qualified]

    def now(self, metric: str) -> float:
        """A metric in the last cycle; nan where it was not measured."""
        return self.cycles[-1].get(metric, math.nan) if self.cycles else math.nan

    def series(self, metric: str) -> list[float]:
        """A metric cycle by cycle, nan where it was not measured."""
        return [metrics.get(metric, math.nan) for metrics in self.cycles]

    def frontier(self) -> tuple[int, int, int]:
        """How many of the last cycle's designs were solved never, sometimes, always without the hint."""
        never, always = (sum(rate == end for rate in self.solve_rates) for end in (0.0, 1.0))
        return never, len(self.solve_rates) - never - always, always

    def seconds_left(self) -> float:
        """What the remaining cycles take at the recent pace; nan before the first."""
        recent = [metrics.get("seconds/cycle", math.nan) for metrics in self.cycles[-SPEED_WINDOW:]]
        return fmean(recent) * (self.cycles_wanted - len(self.cycles)) if recent else math.nan

    def refusals(self) -> list[tuple[str, int]]:
        """Gates that refused drafts in the last cycle, the busiest first."""
        found = self.cycles[-1].items() if self.cycles else ()
        counts = [(name.removeprefix("refused/"), int(value)) for name, value in found if name.startswith("refused/")]
        return sorted(counts, key=lambda item: (-item[1], item[0]))


def accepted_designs(report: CycleReport) -> list[Design]:
    """What a cycle's gates let through, in order."""
    return [verdict.draft.design for verdict in report.verdicts if verdict.accepted and verdict.draft.design]


def cycle_record(report: CycleReport) -> Mapping[str, JSON]:
    """A cycle as one JSON object: its metrics and its accepted designs."""
    designs: Sequence[JSON] = [
        {"id": design.id, "title": design.title, "skill": design.skill, "kind": design.kind}
        for design in accepted_designs(report)
    ]
    return {"cycle": report.cycle, "metrics": dict(report.metrics), "accepted": list(designs)}


def percent(share: float) -> str:
    """A share in whole percent; a dash where there is none."""
    return f"{share:.0%}" if math.isfinite(share) else "-"


def of_drafts(accepted: float, drafts: float) -> str:
    """How many drafts were accepted, `21/32`; a dash where none is written, as with a fixed pool."""
    return f"{accepted:.0f}/{drafts:.0f}" if drafts > 0 else "-"


def cycle_line(course: Course) -> str:
    """The last cycle on one line, for a log file."""
    parts = [
        f"cycle {len(course.cycles)}/{course.cycles_wanted}",
        f"accepted {of_drafts(course.now('funnel/accepted'), course.now('funnel/drafts'))}",
        f"in band {percent(course.now('designs/in_band_share'))}",
        f"regret {signed(course.now('designs/regret_mean'))}",
        f"solved {percent(course.now('designs/solve_rate_unaided'))} unaided "
        f"{percent(course.now('designs/solve_rate_hinted'))} hinted",
        f"{course.now('seconds/cycle'):.1f} s",
    ]
    if math.isfinite(course.now("heldout/score")):
        parts.insert(-1, f"held-out {course.now('heldout/score'):.3f}")
    return "  ".join(parts)


def signed(value: float) -> str:
    """A difference with its sign; a dash where there is none."""
    return f"{value:+.2f}" if math.isfinite(value) else "-"
