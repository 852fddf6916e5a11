"""What a figure shows, as numbers: the same chart is drawn for a page, a file or a comparison of runs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

Cycles = Sequence[tuple[int, Mapping[str, float]]]
Evaluations = Sequence[tuple[int, str, Mapping[str, float]]]
Colour = Literal["blue", "orange", "green", "red", "purple", "sky", "olive", "grey"]
Faint = tuple[Sequence[float], Sequence[float]]

STACK: tuple[Colour, ...] = ("sky", "orange", "purple", "olive", "red")


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

    `share` fixes the upright axis to 0..1, `stacked` piles the lines up, `level` is a height to compare with and its
    name.
    """

    name: str
    title: str
    caption: str
    upright: str
    lines: tuple[Line, ...]
    across: str = "cycle"
    share: bool = False
    stacked: bool = False
    level: tuple[float, str] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Curve:
    """A metric over cycles; `spread` names the metric that holds its interval's half width."""

    metric: str
    label: str
    colour: Colour
    spread: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Subject:
    """A chart of metrics over cycles, before there are any."""

    name: str
    title: str
    caption: str
    upright: str
    curves: tuple[Curve, ...]
    share: bool = False
    level: tuple[float, str] | None = None


SUBJECTS = (
    Subject(
        name="solve_rates",
        title="Solve rates",
        upright="solve rate",
        caption="Solve rate of the run's own designs, without and with the Designer's hint. "
        "The designs get harder as the policy improves, so flat is not standing still.",
        curves=(
            Curve(metric="designs/solve_rate_hinted", label="hinted", colour="orange"),
            Curve(metric="designs/solve_rate_unaided", label="unaided", colour="blue"),
        ),
        share=True,
    ),
    Subject(
        name="regret",
        title="Regret",
        upright="regret",
        caption="Mean regret (hinted minus unaided return) with its 95 % interval: what the hints were worth.",
        curves=(Curve(metric="designs/regret_mean", label="regret", colour="purple", spread="designs/regret_ci95"),),
        level=(0.0, ""),
    ),
    Subject(
        name="band",
        title="In the band, learnable",
        upright="share",
        caption="Share of played designs inside the solve-rate band, and share of seeds from which there is "
        "something to learn. Higher is better.",
        curves=(
            Curve(metric="designs/learnable_share", label="learnable", colour="green"),
            Curve(metric="designs/in_band_share", label="in band", colour="blue"),
        ),
        share=True,
    ),
    Subject(
        name="diversity",
        title="Diversity",
        upright="mechanics",
        caption="Distinct mechanics among the last 40 accepted designs. Higher is better; near 1 the Designer repeats "
        "itself.",
        curves=(Curve(metric="curriculum/clusters_count", label="mechanics", colour="purple"),),
    ),
    Subject(
        name="rewards",
        title="Rewards",
        upright="reward",
        caption="Mean reward of each role.",
        curves=(
            Curve(metric="credit/designer_reward_mean", label="Designer", colour="purple"),
            Curve(metric="credit/agent_reward_mean", label="Agent", colour="blue"),
        ),
    ),
    Subject(
        name="losses",
        title="Losses",
        upright="loss",
        caption="Loss of each role. A policy-gradient loss hovers around 0; look for jumps, not for descent.",
        curves=(
            Curve(metric="train/designer_loss", label="Designer", colour="purple"),
            Curve(metric="train/agent_loss", label="Agent", colour="blue"),
        ),
    ),
    Subject(
        name="entropy",
        title="Entropy",
        upright="nats a token",
        caption="Entropy of each role in nats a token. Near 0 the policy has stopped exploring.",
        curves=(
            Curve(metric="train/designer_entropy", label="Designer", colour="purple"),
            Curve(metric="train/agent_entropy", label="Agent", colour="blue"),
        ),
    ),
)


def run_charts(cycles: Cycles, evaluations: Evaluations) -> list[Chart]:
    """Every chart that a run has numbers for, the most telling first."""
    charts = [heldout_chart(evaluations), *(subject_chart(subject, cycles) for subject in SUBJECTS)]
    charts.insert(5, funnel_chart(cycles))
    return [chart for chart in charts if chart.lines]


def subject_chart(subject: Subject, cycles: Cycles) -> Chart:
    """Metrics over cycles, smoothed over a twentieth of the run with the raw values faintly behind."""
    lines = (_line(curve, cycles) for curve in subject.curves)
    return Chart(
        name=subject.name,
        title=subject.title,
        caption=subject.caption,
        upright=subject.upright,
        lines=tuple(line for line in lines if line),
        share=subject.share,
        level=subject.level,
    )


def heldout_chart(evaluations: Evaluations) -> Chart:
    """The held-out score with its interval."""
    scored = [
        (cycle + 1, scores) for cycle, _, scores in evaluations if math.isfinite(scores.get("heldout/score", math.nan))
    ]
    score, low, high = (
        [scores.get(f"heldout/{name}", math.nan) for _, scores in scored]
        for name in ("score", "score_low", "score_high")
    )
    at = [float(cycle) for cycle, _ in scored]
    line = Line(label="held-out score", colour="blue", at=at, values=score, low=low, high=high, dots=True)
    return Chart(
        name="heldout",
        title="Held-out score",
        caption="Held-out score with its 95 % interval: tasks the run never trained on. Higher is better.",
        upright="mean return",
        lines=(line,) if line else (),
        level=(score[0], "before training" if at[0] == 0 else "first") if line else None,
    )


def funnel_chart(cycles: Cycles) -> Chart:
    """What became of the drafts, as shares that add up to 1."""
    refused: dict[str, float] = {}
    for _, metrics in cycles:
        for name, value in metrics.items():
            if name.startswith("refused/"):
                refused[name] = refused.get(name, 0.0) + value
    busiest = sorted(refused, key=lambda name: -refused[name])[: len(STACK)]
    rest = [name for name in refused if name not in busiest]
    layers: list[tuple[str, list[str], Colour]] = [("accepted", ["funnel/accepted"], "green")]
    for name, colour in zip(busiest, STACK, strict=False):
        layers.append((name.removeprefix("refused/"), [name], colour))
    if rest:
        layers.append(("other gates", rest, "grey"))
    at = [cycle + 1.0 for cycle, _ in cycles]
    lines = [Line(label=label, colour=colour, at=at, values=_share(cycles, names)) for label, names, colour in layers]
    return Chart(
        name="funnel",
        title="What became of the drafts",
        caption="What became of the drafts: accepted, or refused by which gate.",
        upright="share of drafts",
        lines=tuple(lines) if len(cycles) > 1 else (),
        share=True,
        stacked=True,
    )


def smooth(values: Sequence[float], window: int) -> list[float]:
    """Centred means over `window` cycles, shorter at the ends; nan where none of them was measured."""
    half = window // 2
    means = []
    for index in range(len(values)):
        near = [value for value in values[max(0, index - half) : index + half + 1] if math.isfinite(value)]
        means.append(fmean(near) if near else math.nan)
    return means


def _line(curve: Curve, cycles: Cycles) -> Line:
    window = _window(cycles)
    at = [cycle + 1.0 for cycle, _ in cycles]
    values = [metrics.get(curve.metric, math.nan) for _, metrics in cycles]
    middle = smooth(values, window)
    half = smooth([metrics.get(curve.spread, math.nan) for _, metrics in cycles], window) if curve.spread else []
    return Line(
        label=curve.label,
        colour=curve.colour,
        at=at,
        values=middle,
        low=[m - h for m, h in zip(middle, half, strict=False)],
        high=[m + h for m, h in zip(middle, half, strict=False)],
        faint=((at, values),) if window > 1 else (),
    )


def _share(cycles: Cycles, names: Sequence[str]) -> list[float]:
    counts = [sum(m.get(name, 0.0) for name in names) / max(1.0, m.get("funnel/drafts", 0.0)) for _, m in cycles]
    return smooth(counts, _window(cycles))


def _window(cycles: Cycles) -> int:
    return max(1, len(cycles) // 20)
