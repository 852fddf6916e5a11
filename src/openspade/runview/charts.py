"""What a figure shows, as numbers: the same chart is drawn for a page, a file, the browser or a comparison of runs.

Which metrics stand on a chart is said by their rows in the catalogue (`chart`); here is what the chart says of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from openspade.metrics.catalogue import on_chart
from openspade.metrics.metric import Colour, Metric
from openspade.runview.formats import mean
from openspade.runview.view import RATES, REFUSED, HeldOutScore, RunView

Faint = tuple[Sequence[float], Sequence[float]]

COLOURS: tuple[Colour, ...] = ("blue", "red", "green", "purple", "orange", "sky", "olive", "grey")
"""Of groups or runs that are told apart, in this order."""
STACK: tuple[Colour, ...] = ("sky", "orange", "purple", "olive", "red")
HELD_OUT = "heldout"


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """Values over `at`, nan where none was measured; `low` and `high` bound its interval, `faint` lies behind it."""

    label: str
    colour: Colour
    at: Sequence[float]
    values: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    faint: tuple[Faint, ...] = ()
    dots: bool = False

    def __bool__(self) -> bool:
        return any(map(math.isfinite, self.values))


@dataclass(frozen=True, kw_only=True, slots=True)
class Chart:
    """One figure: its file's stem, what it shows in words, its axes and lines.

    A plan without a title has the label of its only metric. `share` fixes the upright axis to 0..1, `unit` follows its
    numbers, `stacked` piles the lines up, `level` is a height to compare with and its name.
    """

    name: str
    title: str = ""
    caption: str
    upright: str
    lines: tuple[Line, ...] = ()
    across: str = "cycle"
    unit: str = ""
    share: bool = False
    stacked: bool = False
    level: tuple[float, str] | None = None


PLANS = (
    Chart(
        name=HELD_OUT,
        upright="mean return",
        caption="Mean return on tasks the run never trained on, with its 95 % interval. Higher is better.",
    ),
    Chart(
        name="solve_rates",
        title="Solve rates",
        upright="solve rate",
        caption="Solve rate of the run's own designs, without and with the Designer's hint. "
        "The designs get harder as the policy improves, so flat is not standing still.",
        share=True,
    ),
    Chart(
        name="regret",
        upright="return",
        caption="Hinted minus unaided return, mean over designs with its 95 % interval: what the hints were worth.",
        level=(0.0, ""),
    ),
    Chart(
        name="band",
        title="Designs to learn from",
        upright="share",
        caption="Share of played designs inside the solve-rate band, and share of seeds from which there is "
        "something to learn. Higher is better.",
        share=True,
    ),
    Chart(
        name="diversity",
        title="Diversity",
        upright="mechanics",
        caption="Distinct mechanics among the last 40 accepted designs. Higher is better; near 1 the Designer repeats "
        "itself.",
    ),
    Chart(
        name="collapse",
        title="Sameness",
        upright="share",
        caption="Share of the largest mechanic among the last 40 accepted designs, and how alike each is to its "
        "nearest. Lower is better.",
        share=True,
    ),
    Chart(name="drafts", title="Drafts a cycle", upright="drafts", caption="Written, readable, through every gate."),
    Chart(name="rewards", title="Rewards", upright="reward", caption="Mean reward of each role."),
    Chart(
        name="losses",
        title="Losses",
        upright="loss",
        caption="Loss of each role. A policy-gradient loss hovers around 0; look for jumps, not for descent.",
    ),
    Chart(
        name="entropy",
        title="Entropy",
        upright="nats a token",
        caption="Entropy of each role in nats a token. Near 0 the policy has stopped exploring.",
    ),
    Chart(
        name="throughput",
        title="Tokens sampled a second",
        upright="tokens a second",
        caption="Written by each role, over the whole cycle's wall clock.",
    ),
    Chart(
        name="seconds",
        title="Seconds by stage",
        upright="seconds",
        unit="s",
        caption="Wall clock of each part of a cycle.",
    ),
    Chart(
        name="health",
        title="Cut, void and flat",
        upright="share",
        caption="Episodes cut by a limit, episodes that say nothing, and groups without spread, which teach nothing. "
        "Lower is better.",
        share=True,
    ),
)


def run_charts(view: RunView) -> list[Chart]:
    """Every chart of a run, the most telling first; one without lines has nothing to show."""
    return [_drawn(plan, view) for plan in PLANS]


def charted_names() -> list[str]:
    """The stored metrics that the charts draw, for who would not read them all."""
    rows = [row for plan in PLANS for row in on_chart(plan.name)]
    return sorted({name for row in rows for name in (row.name, row.half) if name} | {*RATES.values(), "seconds/cycle"})


def grouped() -> dict[str, list[str]]:
    """The metrics that stand together on a chart, by its title, for tools that draw what they are given."""
    return {
        plan.title or rows[0].label: [row.name for row in rows]
        for plan in PLANS
        if (rows := [row for row in on_chart(plan.name) if not row.derived])
    }


def overlaid(views: Sequence[RunView]) -> list[Chart]:
    """Every line of every chart, for several runs at once: one chart a metric, one line a run."""
    charts = []
    for plan in PLANS:
        rows = on_chart(plan.name)
        for row in rows:
            lines = [
                replace(line, label=view.name, colour=COLOURS[place % len(COLOURS)])
                for place, view in enumerate(views)
                if (line := _line(row, view))
            ]
            title = f"{plan.title}: {row.short}" if len(rows) > 1 else plan.title or row.label
            name = row.name.replace("/", "_")
            charts.append(replace(plan, name=name, title=title, lines=tuple(lines), level=None))
    return charts


def smoothed(chart: Chart) -> Chart:
    """Means over a twentieth of the cycles, with the raw values faintly behind."""
    return replace(chart, lines=tuple(_smooth_line(line, len(line.at) // 20) for line in chart.lines))


def funnel_chart(view: RunView) -> Chart:
    """What became of the drafts, as shares that add up to 1."""
    gates = [gate for gate, _ in view.refusals()]
    rest = gates[len(STACK) :]
    layers: list[tuple[str, list[str], Colour]] = [("through every gate", ["funnel/accepted"], "green")]
    layers.extend((gate, [REFUSED + gate], colour) for gate, colour in zip(gates, STACK, strict=False))
    if rest:
        layers.append(("other gates", [REFUSED + gate for gate in rest], "grey"))
    at = [cycle + 1.0 for cycle, _ in view.cycles]
    window = max(1, len(at) // 20)
    lines = [
        Line(label=label, colour=colour, at=at, values=smooth(_share(view, names), window))
        for label, names, colour in layers
    ]
    return Chart(
        name="funnel",
        title="What became of the drafts",
        caption="Through every gate, or refused by which.",
        upright="share of drafts",
        lines=tuple(lines) if len(at) > 1 else (),
        share=True,
        stacked=True,
    )


def smooth(values: Sequence[float], window: int) -> list[float]:
    """Centred means over `window` cycles, shorter at the ends; nan where none of them was measured."""
    half = window // 2
    return [mean(values[max(0, place - half) : place + half + 1]) for place in range(len(values))]


def _drawn(plan: Chart, view: RunView) -> Chart:
    rows = on_chart(plan.name)
    lines = tuple(line for row in rows if (line := _line(row, view)))
    level = plan.level
    if plan.name == HELD_OUT and lines:
        level = (view.scores[0].mean, "before training" if view.scores[0].cycle < 0 else "first")
    return replace(plan, title=plan.title or rows[0].label, lines=lines, level=level)


def _line(row: Metric, view: RunView) -> Line:
    if row.chart == HELD_OUT:
        return _score_line(row, view.scores)
    at = [cycle + 1.0 for cycle, _ in view.cycles]
    values = view.series(row.name)
    half = view.series(row.half) if row.half else []
    low = [middle - width for middle, width in zip(values, half, strict=False)]
    high = [middle + width for middle, width in zip(values, half, strict=False)]
    return Line(label=row.short, colour=row.colour, at=at, values=values, low=low, high=high)


def _score_line(row: Metric, scores: Sequence[HeldOutScore]) -> Line:
    return Line(
        label=row.short,
        colour=row.colour,
        at=[score.cycle + 1.0 for score in scores],
        values=[score.mean for score in scores],
        low=[score.low for score in scores],
        high=[score.high for score in scores],
        dots=True,
    )


def _smooth_line(line: Line, window: int) -> Line:
    if line.dots or window < 2:
        return line
    values, low, high = (smooth(each, window) for each in (line.values, line.low, line.high))
    return replace(line, values=values, low=low, high=high, faint=((line.at, line.values),))


def _share(view: RunView, names: Sequence[str]) -> list[float]:
    return [sum(m.get(name, 0.0) for name in names) / max(1.0, m.get("funnel/drafts", 0.0)) for _, m in view.cycles]
