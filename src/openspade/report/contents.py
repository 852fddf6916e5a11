"""What a report says of a run, before it is a page: figures, tables and exhibits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from openspade.errors import ConfigError
from openspade.memory.memory import Memory
from openspade.memory.read.design_list import Wanted
from openspade.memory.read.run_metrics import Event
from openspade.metrics.catalogue import headlines, metric
from openspade.metrics.metric import Metric
from openspade.runview.charts import Chart, funnel_chart, run_charts, smoothed
from openspade.runview.formats import number, written
from openspade.runview.instructive import Exhibit, choose
from openspade.runview.view import SCORE, RunView

NO_PROGRAM = "The reply held no readable program."
EXAMPLES = 500
FUNNEL_AT = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Refusal:
    """A gate, how many drafts it refused, and what it said to one of them."""

    gate: str
    count: int
    example: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RunReport:
    """One run told: `ends` holds means of the first and of the last `edge` cycles by label."""

    name: str
    summary: str
    heldout: str
    edge: int
    ends: Sequence[tuple[str, str, str]]
    charts: Sequence[Chart]
    refusals: Sequence[Refusal]
    exhibits: Sequence[Exhibit]
    events: Sequence[Event]


def read_report(memory: Memory) -> RunReport:
    """A run as its database tells it. Raises ConfigError before the first cycle, and StorageError."""
    view = RunView.of(memory.run_directory.resolve().name, memory.metrics(), memory.evaluations())
    if not view.cycles:
        raise ConfigError(f"{memory.run_directory} has no finished cycle yet: there is nothing to report")
    charts = [smoothed(chart) for chart in run_charts(view)]
    charts.insert(FUNNEL_AT, funnel_chart(view))
    return RunReport(
        name=view.name,
        summary=_summary(view),
        heldout=_heldout(view),
        edge=view.edge,
        ends=[_ends(row, view) for row in headlines(room=True)],
        charts=[chart for chart in charts if chart.lines],
        refusals=_refusals(view, memory),
        exhibits=choose(memory),
        events=memory.events(),
    )


def _summary(view: RunView) -> str:
    spent = view.spent()
    drafts, accepted, episodes = (view.total(name) for name in ("funnel/drafts", "funnel/accepted", "episodes/count"))
    return (
        f"{len(view.cycles)} cycles in {spent['seconds'] / 60:.1f} minutes: {number(drafts, 0)} drafts, "
        f"{number(accepted, 0)} accepted; {number(episodes, 0)} episodes; {number(spent['tokens'], 0)} tokens sampled."
    )


def _ends(row: Metric, view: RunView) -> tuple[str, str, str]:
    first, last = view.edges(row.name)
    return row.label, written(row, first, finely=True), written(row, last, finely=True)


def _heldout(view: RunView) -> str:
    if not view.scores:
        return ""
    last = view.scores[-1]
    return f"{metric(SCORE).label}: {view.scores[0]} at first, {last} after {last.cycle + 1} cycles."


def _refusals(view: RunView, memory: Memory) -> list[Refusal]:
    designs = memory.designs(Wanted(accepted=False, limit=EXAMPLES))
    examples = {stored.problem.gate: stored.problem.message for stored in designs if stored.problem}
    return [Refusal(gate=gate, count=count, example=examples.get(gate, NO_PROGRAM)) for gate, count in view.refusals()]
