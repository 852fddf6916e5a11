"""Small drawings as SVG: geometry in attributes, colours in the style sheet, for pages carry no inline style."""

from __future__ import annotations

import math
from collections.abc import Sequence

from markupsafe import Markup

SPARK_POINTS = 60


def sparkline(values: Sequence[float], width: int = 120, height: int = 28) -> Markup:
    """The course of a figure, from its lowest to its highest value; nothing for fewer than two values."""
    points = [(index, value) for index, value in enumerate(values) if math.isfinite(value)]
    if len(points) < 2:
        return Markup("")
    points = points[:: max(1, len(points) // SPARK_POINTS)] + ([points[-1]] if len(points) > SPARK_POINTS else [])
    low, high = min(value for _, value in points), max(value for _, value in points)
    first, last = points[0][0], points[-1][0]
    across, up = (width - 6) / max(last - first, 1), (height - 6) / (high - low) if high > low else 0.0
    path = " ".join(f"{3 + (x - first) * across:.1f},{height - 3 - (y - low) * up:.1f}" for x, y in points)
    end_x, end_y = path.rsplit(" ", 1)[-1].split(",")
    return Markup(
        '<svg class="spark" viewBox="0 0 {w} {h}" width="{w}" height="{h}" aria-hidden="true">'
        '<polyline points="{path}"/><circle cx="{x}" cy="{y}" r="2.2"/></svg>'
    ).format(w=width, h=height, path=path, x=end_x, y=end_y)


def bar(share: float | None, kind: str = "", width: int = 96, mark: tuple[float, float] | None = None) -> Markup:
    """A share of 1 as a bar; `mark` is a zone drawn behind it, such as the band."""
    share = 0.0 if share is None or not math.isfinite(share) else min(max(share, 0.0), 1.0)
    zone = Markup("")
    if mark:
        zone = Markup('<rect class="zone" x="{x:.1f}" y="0" width="{w:.1f}" height="8"/>').format(
            x=mark[0] * width, w=(mark[1] - mark[0]) * width
        )
    return Markup(
        '<svg class="bar {kind}" viewBox="0 0 {w} 8" width="{w}" height="8" preserveAspectRatio="none" '
        'aria-hidden="true"><rect class="track" width="{w}" height="8" rx="2"/>{zone}'
        '<rect class="fill" width="{f:.1f}" height="8" rx="2"/></svg>'
    ).format(kind=kind, w=width, f=share * width, zone=zone)


def interval(middle: float, half: float, reach: float = 1.0, width: int = 120) -> Markup:
    """A value with its interval on an axis from -reach to reach."""

    def at(value: float) -> float:
        return (min(max(value, -reach), reach) + reach) / (2 * reach) * width

    return Markup(
        '<svg class="interval" viewBox="0 0 {w} 14" width="{w}" height="14" aria-hidden="true">'
        '<line class="axis" x1="0" x2="{w}" y1="7" y2="7"/><line class="zero" x1="{z}" x2="{z}" y1="1" y2="13"/>'
        '<line class="range" x1="{low:.1f}" x2="{high:.1f}" y1="7" y2="7"/><circle cx="{m:.1f}" cy="7" r="3.2"/></svg>'
    ).format(w=width, z=width / 2, low=at(middle - half), high=at(middle + half), m=at(middle))


def gauge(share: float, limit: float) -> Markup:
    """A half circle from 0 to 1 with the limit marked."""
    share = min(max(share, 0.0), 1.0) if math.isfinite(share) else 0.0
    x, y = _on_circle(share)
    from_x, from_y = _on_circle(limit, 38)
    to_x, to_y = _on_circle(limit, 54)
    return Markup(
        '<svg class="gauge {state}" viewBox="0 0 120 68" width="120" height="68" aria-hidden="true">'
        '<path class="track" d="M14 60 A46 46 0 0 1 106 60"/>'
        '<path class="fill" d="M14 60 A46 46 0 0 1 {x:.1f} {y:.1f}"/>'
        '<line class="limit" x1="{fx:.1f}" y1="{fy:.1f}" x2="{tx:.1f}" y2="{ty:.1f}"/></svg>'
    ).format(x=x, y=y, fx=from_x, fy=from_y, tx=to_x, ty=to_y, state="over" if share > limit else "")


def _on_circle(share: float, radius: float = 46) -> tuple[float, float]:
    angle = math.pi * (1 - share)
    return 60 + radius * math.cos(angle), 60 - radius * math.sin(angle)
