"""Curves of a run as PNG files. Needs matplotlib, the `report` extra."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

Cycles = Sequence[tuple[int, Mapping[str, float]]]
Evaluations = Sequence[tuple[int, str, Mapping[str, float]]]

# Okabe and Ito's colours: told apart by colour-blind readers and in grey.
BLUE, ORANGE, GREEN, RED, PURPLE, GREY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#8a8a8a"
SKY, YELLOW = "#56B4E9", "#c9b800"
STACK = (SKY, ORANGE, PURPLE, YELLOW, RED)
SIZE_INCHES = (8.0, 3.6)
DOTS_PER_INCH = 120


@dataclass(frozen=True, kw_only=True, slots=True)
class Picture:
    """One PNG: its file's stem, its upright axis, what it shows in words, and how it is drawn."""

    name: str
    axis: str
    caption: str
    draw: Callable[[Axes], None]


@dataclass(frozen=True, kw_only=True, slots=True)
class Curve:
    """A metric over cycles; `spread` names the metric that holds its interval's half width."""

    metric: str
    label: str
    colour: str
    spread: str = ""


def draw_figures(folder: Path, cycles: Cycles, evaluations: Evaluations) -> list[tuple[str, str]]:
    """Write every figure that the run has numbers for; file name and caption of each."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn: list[tuple[str, str]] = []
    for wanted in _figures(cycles, evaluations):
        figure = Figure(figsize=SIZE_INCHES, dpi=DOTS_PER_INCH, layout="constrained")
        axes = figure.subplots()
        wanted.draw(axes)
        if not axes.has_data():
            continue
        _finish(axes, wanted.axis)
        figure.savefig(folder / f"{wanted.name}.png")
        drawn.append((f"{wanted.name}.png", wanted.caption))
    return drawn


def smooth(values: Sequence[float], window: int) -> list[float]:
    """Centred means over `window` cycles, shorter at the ends; nan where none of them was measured."""
    half = window // 2
    means = []
    for index in range(len(values)):
        near = [value for value in values[max(0, index - half) : index + half + 1] if math.isfinite(value)]
        means.append(fmean(near) if near else math.nan)
    return means


def _figures(cycles: Cycles, evaluations: Evaluations) -> list[Picture]:
    return [
        Picture(
            name="heldout",
            axis="mean return",
            caption="Held-out score with its 95 % interval: tasks the run never trained on. Higher is better.",
            draw=lambda axes: _draw_heldout(axes, evaluations),
        ),
        Picture(
            name="solve_rates",
            axis="solve rate",
            caption="Solve rate of the run's own designs, without and with the Designer's hint. "
            "The designs get harder as the policy improves, so flat is not standing still.",
            draw=lambda axes: _draw_curves(
                axes,
                cycles,
                Curve(metric="designs/solve_rate_hinted", label="hinted", colour=ORANGE),
                Curve(metric="designs/solve_rate_unaided", label="unaided", colour=BLUE),
                share=True,
            ),
        ),
        Picture(
            name="regret",
            axis="regret",
            caption="Mean regret (hinted minus unaided return) with its 95 % interval: what the hints were worth.",
            draw=lambda axes: _draw_regret(axes, cycles),
        ),
        Picture(
            name="band",
            axis="share",
            caption="Share of played designs inside the solve-rate band, and share of seeds from which there is "
            "something to learn. Higher is better.",
            draw=lambda axes: _draw_curves(
                axes,
                cycles,
                Curve(metric="designs/learnable_share", label="learnable", colour=GREEN),
                Curve(metric="designs/in_band_share", label="in band", colour=BLUE),
                share=True,
            ),
        ),
        Picture(
            name="funnel",
            axis="share of drafts",
            caption="What became of the drafts: accepted, or refused by which gate.",
            draw=lambda axes: _draw_funnel(axes, cycles),
        ),
        Picture(
            name="rewards",
            axis="reward",
            caption="Mean reward of each role.",
            draw=lambda axes: _draw_curves(
                axes,
                cycles,
                Curve(metric="credit/designer_reward_mean", label="Designer", colour=RED),
                Curve(metric="credit/agent_reward_mean", label="Agent", colour=BLUE),
            ),
        ),
        Picture(
            name="losses",
            axis="loss",
            caption="Loss of each role. A policy-gradient loss hovers around 0; look for jumps, not for descent.",
            draw=lambda axes: _draw_curves(
                axes,
                cycles,
                Curve(metric="train/designer_loss", label="Designer", colour=RED),
                Curve(metric="train/agent_loss", label="Agent", colour=BLUE),
            ),
        ),
        Picture(
            name="entropy",
            axis="nats a token",
            caption="Entropy of each role in nats a token. Near 0 the policy has stopped exploring.",
            draw=lambda axes: _draw_curves(
                axes,
                cycles,
                Curve(metric="train/designer_entropy", label="Designer", colour=RED),
                Curve(metric="train/agent_entropy", label="Agent", colour=BLUE),
            ),
        ),
    ]


def _draw_heldout(axes: Axes, evaluations: Evaluations) -> None:
    scored = [
        (cycle, scores) for cycle, _, scores in evaluations if math.isfinite(scores.get("heldout/score", math.nan))
    ]
    if not scored:
        return
    at = [cycle + 1 for cycle, _ in scored]
    score, low, high = (
        [scores.get(f"heldout/{name}", math.nan) for _, scores in scored]
        for name in ("score", "score_low", "score_high")
    )
    axes.fill_between(at, low, high, color=BLUE, alpha=0.18, linewidth=0)
    axes.plot(at, score, color=BLUE, marker="o", markersize=4, label="held-out score")
    axes.axhline(score[0], color=GREY, linestyle=":", linewidth=1, label="before training" if at[0] == 0 else "first")


def _draw_curves(axes: Axes, cycles: Cycles, *curves: Curve, share: bool = False) -> None:
    window = max(1, len(cycles) // 20)
    at = [cycle + 1 for cycle, _ in cycles]
    for curve in curves:
        values = [metrics.get(curve.metric, math.nan) for _, metrics in cycles]
        if not any(map(math.isfinite, values)):
            continue
        middle = smooth(values, window)
        if window > 1:
            axes.plot(at, values, color=curve.colour, alpha=0.25, linewidth=0.8)
        axes.plot(at, middle, color=curve.colour, linewidth=1.8, label=curve.label)
        if curve.spread:
            half = smooth([metrics.get(curve.spread, math.nan) for _, metrics in cycles], window)
            low, high = ([m + sign * h for m, h in zip(middle, half, strict=True)] for sign in (-1, 1))
            axes.fill_between(at, low, high, color=curve.colour, alpha=0.15, linewidth=0)
    if share and axes.has_data():
        axes.set_ylim(0, 1)


def _draw_regret(axes: Axes, cycles: Cycles) -> None:
    _draw_curves(
        axes, cycles, Curve(metric="designs/regret_mean", label="regret", colour=GREEN, spread="designs/regret_ci95")
    )
    if axes.has_data():
        axes.axhline(0, color=GREY, linestyle=":", linewidth=1)


def _draw_funnel(axes: Axes, cycles: Cycles) -> None:
    if len(cycles) < 2:
        return
    refused: dict[str, float] = {}
    for _, metrics in cycles:
        for name, value in metrics.items():
            if name.startswith("refused/"):
                refused[name] = refused.get(name, 0.0) + value
    busiest = sorted(refused, key=lambda name: -refused[name])[: len(STACK)]
    rest = [name for name in refused if name not in busiest]
    window = max(1, len(cycles) // 20)

    def share(names: Sequence[str]) -> list[float]:
        counts = [sum(m.get(name, 0.0) for name in names) / max(1.0, m.get("funnel/drafts", 0.0)) for _, m in cycles]
        return smooth(counts, window)

    layers = [("accepted", share(["funnel/accepted"]), GREEN)]
    layers += [
        (name.removeprefix("refused/"), share([name]), colour) for name, colour in zip(busiest, STACK, strict=False)
    ]
    layers += [("other gates", share(rest), GREY)] if rest else []
    axes.stackplot(
        [cycle + 1 for cycle, _ in cycles],
        [values for _, values, _ in layers],
        labels=[label for label, _, _ in layers],
        colors=[colour for _, _, colour in layers],
        alpha=0.85,
    )
    axes.set_ylim(0, 1)


def _finish(axes: Axes, upright: str) -> None:
    axes.set_xlabel("cycle")
    axes.set_ylabel(upright)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(alpha=0.25, linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    axes.margins(x=0.01)
    axes.legend(frameon=False, fontsize=9, loc="center left", bbox_to_anchor=(1.0, 0.5))
