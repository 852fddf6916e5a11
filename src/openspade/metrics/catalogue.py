"""Every metric there is, for whoever shows one.

A new metric costs its producer and one row in `metrics/rows.py`, beside its like; then `python -m tests.metrics_page`
writes docs/metrics.md anew. Lines, panels, reports, charts, comparisons and loggers take the rest from the row: no view
names a metric's label. `shown="headline"` puts it on every table of a run's first and last cycles, `shown="table"` on
those that have room (report, browser), `chart="band"` on that chart of `openspade.runview.charts`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from openspade.metrics.metric import ANY, Metric
from openspade.metrics.rows import ROWS

BY_NAME = {row.name: row for row in ROWS}
FAMILIES = tuple(row for row in ROWS if ANY in row.name)


@lru_cache(maxsize=4096)
def metric(name: str) -> Metric:
    """What is known of a metric; a name without a row, as a later OpenSPADE may store it, is its own label."""
    if name in BY_NAME:
        return BY_NAME[name]
    for family in FAMILIES:
        part = family.member_of(name)
        if part is not None:
            return replace(
                family, name=name, label=family.label.replace(ANY, part), short=family.short.replace(ANY, part)
            )
    return Metric(name=name, label=name, short=name, meaning="")


def headlines(*, room: bool) -> tuple[Metric, ...]:
    """The metrics that a table of a run's first and last cycles holds; with `room` those of second rank too."""
    return tuple(row for row in ROWS if row.shown == "headline" or (room and row.shown == "table"))


def on_chart(chart: str) -> tuple[Metric, ...]:
    """The lines of a chart, in the order of their rows."""
    return tuple(row for row in ROWS if row.chart == chart)
