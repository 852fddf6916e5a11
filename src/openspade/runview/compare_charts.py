"""The figures of a comparison: one line a group, its seeds faintly behind it."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean

from openspade.metrics.catalogue import headlines, metric
from openspade.metrics.metric import Colour, Metric
from openspade.runview.charts import COLOURS, Chart, Line, smooth
from openspade.runview.compare import Comparison, Group
from openspade.runview.view import SCORE, Axis

AXES: Mapping[Axis, str] = {
    "episodes": metric("episodes/unaided").label.lower(),
    "tokens": "tokens sampled",
    "seconds": "seconds",
}
SMOOTHED_CYCLES = 5


def comparison_charts(comparison: Comparison) -> list[Chart]:
    """Held-out score over each budget, then what the designs were like; what no run measured is left out."""
    scores = [_scores(comparison.groups, axis) for axis in AXES]
    charts = [*scores, *(_metric(comparison.groups, row) for row in headlines(room=False))]
    return [chart for chart in charts if chart.lines]


def _scores(groups: Sequence[Group], axis: Axis) -> Chart:
    lines = []
    for group, colour in _coloured(groups):
        points = [run.score_points(axis) for run in group.runs if run.scores]
        # Seeds are evaluated after the same cycles, at slightly different budgets: the mean of both is one point.
        shared = min(map(len, points), default=0)
        at, values = ([fmean(own[place][end] for own in points) for place in range(shared)] for end in (0, 1))
        curves = tuple(([spent for spent, _ in own], [score for _, score in own]) for own in points)
        faint = curves if len(curves) > 1 else ()
        lines.append(Line(label=group.label, colour=colour, at=at, values=values, faint=faint, dots=True))
    return Chart(
        name=f"heldout_by_{axis}",
        title=metric(SCORE).label,
        caption=f"Mean return over {AXES[axis]}: mean of the seeds, each seed faintly behind it.",
        upright="mean return",
        across=AXES[axis],
        lines=tuple(line for line in lines if line),
    )


def _metric(groups: Sequence[Group], row: Metric) -> Chart:
    lines = [_mean_line(group, row.name, colour) for group, colour in _coloured(groups)]
    return Chart(
        name=row.name.replace("/", "_"),
        title=row.label,
        caption=f"{row.label}: mean of the seeds over {SMOOTHED_CYCLES} cycles.",
        upright="share" if row.format == "share" else row.short,
        lines=tuple(line for line in lines if line),
    )


def _mean_line(group: Group, name: str, colour: Colour) -> Line:
    by_cycle: dict[int, list[float]] = defaultdict(list)
    for run in group.runs:
        for (cycle, _), value in zip(run.cycles, run.series(name), strict=True):
            if math.isfinite(value):
                by_cycle[cycle].append(value)
    at = [cycle + 1.0 for cycle in sorted(by_cycle)]
    means = [fmean(by_cycle[cycle]) for cycle in sorted(by_cycle)]
    return Line(label=group.label, colour=colour, at=at, values=smooth(means, SMOOTHED_CYCLES))


def _coloured(groups: Sequence[Group]) -> list[tuple[Group, Colour]]:
    return [(group, COLOURS[place % len(COLOURS)]) for place, group in enumerate(groups)]
