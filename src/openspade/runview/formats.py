"""Numbers in words, the same everywhere; what was never measured is a dash."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from statistics import fmean

from openspade.metrics.metric import Format, Metric

MISSING = "-"
SPARKS = "▁▂▃▄▅▆▇█"


def missing(value: float | None) -> bool:
    return value is None or not math.isfinite(value)


def percent(value: float | None, digits: int = 0) -> str:
    """A share of 1."""
    return MISSING if value is None or missing(value) else f"{value:.{digits}%}"


def number(value: float | None, digits: int = 2) -> str:
    return MISSING if value is None or missing(value) else f"{value:,.{digits}f}"


def signed(value: float | None, digits: int = 2) -> str:
    """A difference with its sign; nothing has none."""
    if value is None or missing(value):
        return MISSING
    text = f"{value:+.{digits}f}"
    return text if float(text) else text[1:]


def thousands(count: float | None) -> str:
    """A large count in three or four digits."""
    if count is None or missing(count):
        return MISSING
    return f"{count / 1e6:.2f}M" if count >= 1e6 else f"{count / 1e3:.1f}k" if count >= 1e4 else f"{count:,.0f}"


def duration(seconds: float | None) -> str:
    """A time span in the two units that matter."""
    if seconds is None or missing(seconds):
        return MISSING
    if seconds < 60:
        return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, left = divmod(minutes, 60)
    return f"{hours} h {left} min" if hours else f"{minutes} min {rest} s"


def interval(middle: float | None, low: float | None, high: float | None, *, sign: bool = False) -> str:
    """A value with its ends in brackets, where it has any."""
    shown = signed if sign else number
    ends = "" if missing(low) or missing(high) else f" [{shown(low, 3)}, {shown(high, 3)}]"
    return MISSING if missing(middle) else f"{shown(middle, 3)}{ends}"


def written(metric: Metric, value: float | None, *, finely: bool = False) -> str:
    """A metric's value as its row in the catalogue wants it; `finely` has one digit more, for tables that compare."""
    shown = FORMATS[metric.format](value, finely)
    return f"{shown} {metric.unit}" if metric.unit and shown != MISSING else shown


def ends(metric: Metric, first: float, last: float) -> str:
    """From the first cycles to the last."""
    return f"{written(metric, first)}→{written(metric, last)}"


def sparkline(values: Sequence[float], width: int) -> str:
    """The course of a figure in `width` characters, each the mean of its share, from lowest to highest."""
    known = [value for value in values if math.isfinite(value)]
    if len(known) < 2:
        return ""
    columns = min(width, len(known))
    edges = [round(index * len(known) / columns) for index in range(columns + 1)]
    means = [sum(known[a:b]) / (b - a) for a, b in pairwise(edges)]
    low, high = min(means), max(means)
    scale = (len(SPARKS) - 1) / (high - low) if high > low else 0.0
    return "".join(SPARKS[round((mean - low) * scale)] for mean in means)


def mean(values: Sequence[float]) -> float:
    """The mean of what was measured; nan of nothing."""
    known = [value for value in values if math.isfinite(value)]
    return fmean(known) if known else math.nan


def total(values: Sequence[float]) -> float:
    """The sum of what was measured."""
    return math.fsum(value for value in values if math.isfinite(value))


def finite(value: object) -> object:
    """For JSON: what is not a finite number is null, at any depth."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return value


FORMATS: Mapping[Format, Callable[[float | None, bool], str]] = {
    "share": lambda value, finely: percent(value, int(finely)),
    "signed": lambda value, finely: signed(value, 2 + finely),
    "score": lambda value, _: number(value, 3),
    "number": lambda value, _: number(value),
    "count": lambda value, _: number(value, 0),
    "seconds": lambda value, _: duration(value),
}
