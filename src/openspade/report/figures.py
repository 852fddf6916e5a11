"""Charts as PNG, PDF and SVG. Needs matplotlib, the `report` extra."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, MaxNLocator

from openspade.metrics.metric import Colour
from openspade.runview.charts import Chart, Line

if TYPE_CHECKING:
    from matplotlib.typing import RcKeyType

# Okabe and Ito's colours, the two light ones darkened until they stand 3:1 against white.
COLOURS: Mapping[Colour, str] = {
    "blue": "#0072b2",
    "orange": "#b87a00",
    "green": "#00855f",
    "red": "#cc5500",
    "purple": "#b0558b",
    "sky": "#3390c8",
    "olive": "#8c8200",
    "grey": "#767676",
}
INK = "#1b1e23"
SIZE_INCHES = (5.6, 3.3)
DOTS_PER_INCH = 160
SETTINGS: dict[RcKeyType, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "openspade",
    "pdf.fonttype": 42,
    "font.size": 9.5,
    "text.parse_math": False,
}


def save_figures(charts: Sequence[Chart], folder: Path, kinds: Sequence[str]) -> list[Path]:
    """One file a chart and kind (`png`, `pdf`)."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for chart in charts:
        for kind in kinds:
            path = folder / f"{chart.name}.{kind}"
            save_sheet([chart], path)
            written.append(path)
    return written


def save_sheet(charts: Sequence[Chart], path: Path) -> None:
    """All charts in one picture, three in a row, with one legend where they share it; its kind is its name's ending."""
    columns = min(3, len(charts))
    rows = -(-len(charts) // columns)
    keys = {(line.label, line.colour) for chart in charts for line in chart.lines}
    shared = len(charts) > 1 and len(keys) == len({label for label, _ in keys}) == max(len(c.lines) for c in charts)
    with rc_context(SETTINGS):
        size = SIZE_INCHES[0] * columns, SIZE_INCHES[1] * rows
        figure = Figure(figsize=size, dpi=DOTS_PER_INCH, layout="constrained")
        cells = [*figure.subplots(rows, columns, squeeze=False).flat]
        for axes, chart in zip(cells, charts, strict=False):
            _draw(axes, chart, legend=not shared)
            if shared:
                axes.set_title(chart.title, fontsize=10, loc="left")
        for axes in cells[len(charts) :]:
            axes.set_axis_off()
        if shared:
            fullest = max(range(len(charts)), key=lambda index: len(charts[index].lines))
            entries = cells[fullest].get_legend_handles_labels()
            figure.legend(*entries, loc="outside upper left", frameon=False, ncols=4)
        # No date inside: the same run gives the same file.
        figure.savefig(path, metadata={"CreationDate": None} if path.suffix == ".pdf" else None)


def svg(chart: Chart) -> str:
    """A chart as an SVG element for a page: its colours are the page's `--blue` and so on, its ink the page's own."""
    with rc_context(SETTINGS):
        figure = Figure(figsize=SIZE_INCHES, layout="constrained")
        figure.patch.set_alpha(0.0)
        axes = figure.subplots()
        axes.patch.set_alpha(0.0)
        _draw(axes, chart, legend=True)
        drawn = io.StringIO()
        figure.savefig(drawn, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    text = drawn.getvalue()
    text = text[text.index("<svg") :]
    for name, colour in COLOURS.items():
        text = text.replace(colour, f"var(--{name})")
    text = text.replace(INK, "currentColor")
    # Two pictures on a page must not share the ids they refer to.
    text = re.sub(r'(id="|href="#|url\(#)', rf"\g<1>{chart.name}-", text)
    return re.sub(r'<svg ([^>]*?)width="[^"]*" height="[^"]*"|<svg ([^>]*)', _opening(chart), text, count=1)


def _opening(chart: Chart) -> str:
    width, height = (round(72 * inches, 1) for inches in SIZE_INCHES)
    return (
        f'<svg role="img" aria-label="{chart.title}" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg"'
    )


def _draw(axes: Axes, chart: Chart, *, legend: bool) -> None:
    if chart.stacked:
        _pile(axes, chart.lines)
    else:
        for line in chart.lines:
            _trace(axes, line)
    if chart.level:
        height, name = chart.level
        axes.axhline(height, color=COLOURS["grey"], linestyle=":", linewidth=1.2, label=name or None)
    if chart.share:
        axes.set_ylim(0, 1)
    axes.set_xlabel(chart.across)
    axes.set_ylabel(chart.upright)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
    axes.xaxis.set_major_formatter(EngFormatter(sep=""))
    axes.grid(alpha=0.25, linewidth=0.6, color=COLOURS["grey"])
    axes.spines[["top", "right"]].set_visible(False)
    axes.margins(x=0.01)
    _ink(axes)
    if legend:
        columns = 1 if max(len(line.label) for line in chart.lines) > 30 else 3
        axes.legend(
            frameon=False,
            fontsize=8.5,
            labelcolor=INK,
            loc="lower left",
            bbox_to_anchor=(0.0, 1.0),
            ncols=columns,
            borderaxespad=0.2,
        )


def _trace(axes: Axes, line: Line) -> None:
    colour = COLOURS[line.colour]
    for at, values in line.faint:
        axes.plot(at, values, color=colour, alpha=0.35, linewidth=0.8)
    if line.low:
        axes.fill_between(line.at, line.low, line.high, color=colour, alpha=0.18, linewidth=0)
    marker = "o" if line.dots else None
    axes.plot(line.at, line.values, color=colour, linewidth=1.8, marker=marker, markersize=4, label=line.label)


def _pile(axes: Axes, lines: Sequence[Line]) -> None:
    axes.stackplot(
        lines[0].at,
        [line.values for line in lines],
        labels=[line.label for line in lines],
        colors=[COLOURS[line.colour] for line in lines],
        alpha=0.85,
    )


def _ink(axes: Axes) -> None:
    axes.tick_params(colors=INK)
    for text in (axes.xaxis.label, axes.yaxis.label, axes.title):
        text.set_color(INK)
    for spine in axes.spines.values():
        spine.set_color(INK)
