"""The figures of a comparison: one line a group, its seeds faintly behind it."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from openspade.evaluation.charts import Chart, Colour, Line, smooth
from openspade.evaluation.compare import Axis, Comparison, Group, Trace

COLOURS: tuple[Colour, ...] = ("blue", "red", "green", "purple", "orange", "sky", "olive", "grey")
AXES: Mapping[Axis, str] = {
    "episodes": "Agent's training episodes",
    "tokens": "tokens sampled",
    "seconds": "seconds",
}
SMOOTHED_CYCLES = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Compared:
    """A metric drawn over cycles, a line a group."""

    metric: str
    title: str
    upright: str


METRICS = (
    Compared(metric="designs/in_band_share", title="Designs in the band", upright="share"),
    Compared(metric="curriculum/clusters_count", title="Diversity", upright="mechanics among the last 40"),
    Compared(metric="designs/regret_mean", title="Regret", upright="hinted minus unaided return"),
)


def comparison_charts(comparison: Comparison) -> list[Chart]:
    """Held-out score over each budget, then what the designs were like; what no run measured is left out."""
    scores = [_scores(comparison.groups, axis) for axis in AXES]
    charts = [*scores, *(_metric(comparison.groups, wanted) for wanted in METRICS)]
    return [chart for chart in charts if chart.lines]


def _scores(groups: Sequence[Group], axis: Axis) -> Chart:
    lines = []
    for group, colour in zip(groups, _colours(len(groups)), strict=True):
        traces = [trace for trace in group.traces if trace.points]
        curves = [([p.spent[axis] for p in t.points], [p.score for p in t.points]) for t in traces]
        # Seeds are evaluated after the same cycles, at slightly different budgets: the mean of both is one point.
        shared = min((len(at) for at, _ in curves), default=0)
        at = [fmean(curve[0][place] for curve in curves) for place in range(shared)]
        values = [fmean(curve[1][place] for curve in curves) for place in range(shared)]
        faint = tuple(curves) if len(curves) > 1 else ()
        lines.append(Line(label=group.label, colour=colour, at=at, values=values, faint=faint, dots=True))
    return Chart(
        name=f"heldout_by_{axis}",
        title="Held-out score",
        caption=f"Held-out score over {AXES[axis]}: mean of the seeds, each seed faintly behind it.",
        upright="mean return",
        across=AXES[axis],
        lines=tuple(line for line in lines if line),
    )


def _metric(groups: Sequence[Group], wanted: Compared) -> Chart:
    lines = [
        _mean_line(group, wanted.metric, colour) for group, colour in zip(groups, _colours(len(groups)), strict=True)
    ]
    return Chart(
        name=wanted.metric.replace("/", "_"),
        title=wanted.title,
        caption=f"{wanted.title}: mean of the seeds over {SMOOTHED_CYCLES} cycles.",
        upright=wanted.upright,
        lines=tuple(line for line in lines if line),
    )


def _mean_line(group: Group, metric: str, colour: Colour) -> Line:
    by_cycle: dict[int, list[float]] = defaultdict(list)
    for trace in group.traces:
        for cycle, value in _known(trace, metric):
            by_cycle[cycle].append(value)
    at = [cycle + 1.0 for cycle in sorted(by_cycle)]
    means = [fmean(by_cycle[cycle]) for cycle in sorted(by_cycle)]
    return Line(label=group.label, colour=colour, at=at, values=smooth(means, SMOOTHED_CYCLES))


def _known(trace: Trace, metric: str) -> list[tuple[int, float]]:
    found = [(cycle, metrics.get(metric, math.nan)) for cycle, metrics in trace.cycles]
    return [(cycle, value) for cycle, value in found if math.isfinite(value)]


def _colours(count: int) -> list[Colour]:
    return [COLOURS[place % len(COLOURS)] for place in range(count)]
