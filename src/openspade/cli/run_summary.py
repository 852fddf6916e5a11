"""What a running training shows: its view, the latest design, and a cycle as one line or one JSON object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from openspade.metrics.catalogue import metric
from openspade.runview.formats import MISSING, duration, written
from openspade.runview.view import RunView
from openspade.tokens import JSON
from openspade.types import CycleReport, Design, DesignStats

if TYPE_CHECKING:
    from openspade.memory.memory import Memory


@dataclass(kw_only=True, slots=True)
class LiveRun:
    """A run while this process plays it; what came before is read from its database."""

    view: RunView
    latest: Design | None = None
    latest_stats: DesignStats | None = None
    solve_rates: Sequence[float] = ()
    """Unaided solve rates of the last cycle's designs that were played properly."""

    def read(self, memory: Memory) -> None:
        """Take over what is stored."""
        self.view = RunView.of(self.view.name, memory.metrics(), memory.evaluations(), self.view.settings)

    def add(self, report: CycleReport) -> None:
        """One more cycle."""
        self.view.cycles = [*self.view.cycles, (report.cycle, report.metrics)]
        accepted = accepted_designs(report)
        if accepted:
            self.latest = accepted[-1]
            self.latest_stats = report.credit.stats.get(accepted[-1].id)
        self.solve_rates = [stats.solve_rate for stats in report.credit.stats.values() if stats.qualified]

    def frontier(self) -> tuple[int, int, int]:
        """How many of the last cycle's designs were solved never, sometimes, always without the hint."""
        never, always = (sum(rate == end for rate in self.solve_rates) for end in (0.0, 1.0))
        return never, len(self.solve_rates) - never - always, always


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


def cycle_line(numbers: Mapping[str, float], place: str) -> str:
    """A cycle on one line of at most 80 columns; `place` is its number, or `3/60`."""

    def told(name: str) -> str:
        return written(metric(name), numbers.get(name))

    accepted, band, regret, solved = (
        metric(name).short
        for name in ("funnel/accepted", "designs/in_band_share", "designs/regret_mean", "designs/solve_rate_unaided")
    )
    # No draft is written with a fixed pool.
    kept = f"{told('funnel/accepted')}/{told('funnel/drafts')}" if numbers.get("funnel/drafts", 0) > 0 else MISSING
    both = f"{told('designs/solve_rate_unaided').removesuffix('%')}/{told('designs/solve_rate_hinted')}"
    return (
        f"cycle {place:<7} {accepted} {kept:<5} {band} {told('designs/in_band_share'):<4} "
        f"{regret} {told('designs/regret_mean'):<5} {solved} {both:<8} {duration(numbers.get('seconds/cycle'))}"
    )
