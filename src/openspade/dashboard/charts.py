"""The curves of a run: which metrics stand on which chart, and their numbers as the browser and a download get them."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from openspade.evaluation.charts import SUBJECTS, Colour, Subject
from openspade.memory.database import Database
from openspade.memory.read.run_metrics import metric_names, read_evaluations, read_metrics
from openspade.tokens import JSON

HELD_OUT = ("heldout/score", "heldout/score_low", "heldout/score_high")
PLACES: Mapping[Colour, int] = {"blue": 1, "orange": 2, "purple": 3, "green": 4, "red": 5, "grey": 6}
"""Where the style sheet has a colour, and its lighter one for the dark theme."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """A metric on a chart; `low` and `high` name an interval's ends, or `half` its half width. `colour` 1 to 6."""

    metric: str
    label: str
    colour: int
    low: str = ""
    high: str = ""
    half: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Chart:
    """`share` charts run from 0 to 1 in percent; `sparse` metrics are drawn as points joined by lines."""

    id: str
    title: str
    help: str
    lines: tuple[Line, ...]
    unit: str = ""
    share: bool = False
    sparse: bool = False
    stacked: bool = False

    @property
    def metrics(self) -> list[str]:
        named = [name for line in self.lines for name in (line.metric, line.low, line.high, line.half)]
        return [name for name in named if name]


def of_subject(subject: Subject) -> Chart:
    """The chart of a report, as the browser draws it."""
    lines = (
        Line(metric=curve.metric, label=curve.label, colour=PLACES[curve.colour], half=curve.spread)
        for curve in subject.curves
    )
    return Chart(id=subject.name, title=subject.title, help=subject.caption, share=subject.share, lines=tuple(lines))


SHARED = {subject.name: of_subject(subject) for subject in SUBJECTS}
"""What a report shows, too, by the names it has there."""
CHARTS = (
    Chart(
        id="heldout",
        title="Held-out score",
        help="Mean return on tasks the run never trained on, with its 95 % interval. Higher is better.",
        share=True,
        sparse=True,
        lines=(Line(metric=HELD_OUT[0], label="held-out score", colour=1, low=HELD_OUT[1], high=HELD_OUT[2]),),
    ),
    SHARED["solve_rates"],
    SHARED["regret"],
    SHARED["band"],
    Chart(
        id="funnel",
        title="Drafts a cycle",
        help="Written, readable, accepted by every gate.",
        lines=(
            Line(metric="funnel/drafts", label="drafts", colour=6),
            Line(metric="funnel/parsed", label="readable", colour=2),
            Line(metric="funnel/accepted", label="accepted", colour=4),
        ),
    ),
    Chart(
        id="collapse",
        title="Variety",
        help="Share of the largest cluster among the last 40 accepted designs, and how alike each is to its nearest.",
        share=True,
        lines=(
            Line(metric="curriculum/largest_cluster_share", label="largest cluster", colour=5),
            Line(metric="curriculum/nearest_similarity_mean", label="nearest similarity", colour=6),
        ),
    ),
    SHARED["rewards"],
    SHARED["losses"],
    SHARED["entropy"],
    Chart(
        id="throughput",
        title="Tokens sampled a second",
        help="Written by each role, over the whole cycle's wall clock.",
        lines=(
            Line(metric="rate/designer_tokens", label="Designer", colour=3),
            Line(metric="rate/agent_tokens", label="Agent", colour=1),
        ),
    ),
    Chart(
        id="seconds",
        title="Seconds by stage",
        help="Wall clock of each part of a cycle.",
        unit="s",
        lines=(
            Line(metric="seconds/draft", label="draft", colour=3),
            Line(metric="seconds/verify", label="verify", colour=5),
            Line(metric="seconds/playtest", label="playtest", colour=1),
            Line(metric="seconds/learn", label="learn", colour=4),
            Line(metric="seconds/examine", label="examine", colour=6),
        ),
    ),
    Chart(
        id="health",
        title="Cut, void and flat",
        help="Episodes cut by a limit, episodes that say nothing, and groups without spread, which teach nothing. "
        "Lower is better.",
        share=True,
        lines=(
            Line(metric="episodes/truncated_share", label="truncated", colour=2),
            Line(metric="episodes/void_share", label="void", colour=5),
            Line(metric="credit/agent_flat_group_share", label="flat groups", colour=6),
        ),
    ),
)
COMPARED = tuple(
    chart for chart in CHARTS if chart.id in ("heldout", "solve_rates", "regret", "band", "collapse", "rewards")
)
RATES = {"rate/designer_tokens": "tokens/designer", "rate/agent_tokens": "tokens/agent"}


def chart_numbers(database: Database, charts: Sequence[Chart] = CHARTS) -> dict[str, JSON]:
    """What the browser draws: cycles counted from 1, every series with null where nothing was measured."""
    wanted = {name for chart in charts for name in chart.metrics}
    stored = sorted((wanted - RATES.keys() - set(HELD_OUT)) | set(RATES.values()) | {"seconds/cycle"})
    cycles, series = read_metrics(database, stored)
    seconds = series["seconds/cycle"]
    rates = {rate: [_ratio(n, s) for n, s in zip(series[name], seconds, strict=True)] for rate, name in RATES.items()}
    scored, scores = read_evaluations(database, HELD_OUT)
    return {
        "cycles": [cycle + 1 for cycle in cycles],
        "series": {name: _plain(values) for name, values in {**series, **rates}.items() if name in wanted},
        "scored": [cycle + 1 for cycle in scored],
        "scores": {name: _plain(values) for name, values in scores.items()},
    }


def all_numbers(database: Database) -> tuple[list[int], Mapping[str, Sequence[float]]]:
    """Cycles and every metric over them, held-out scores included."""
    return read_metrics(database, metric_names(database))


def as_csv(cycles: Sequence[int], series: Mapping[str, Sequence[float]]) -> str:
    """One row a cycle, counted from 1; an empty cell where nothing was measured."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["cycle", *series])
    for place, cycle in enumerate(cycles):
        values = (column[place] for column in series.values())
        writer.writerow([cycle + 1, *("" if math.isnan(value) else repr(value) for value in values)])
    return text.getvalue()


def _ratio(amount: float, seconds: float) -> float:
    return amount / seconds if seconds > 0 else math.nan


def _plain(values: Sequence[float]) -> list[JSON]:
    return [value if math.isfinite(value) else None for value in values]
