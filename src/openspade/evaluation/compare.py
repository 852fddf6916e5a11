"""Several runs side by side: grouped by what differs in their settings, at equal budget, with intervals over seeds."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import Literal

from openspade.config import Config
from openspade.errors import ConfigError
from openspade.evaluation.bootstrap import Estimate, estimate, estimate_difference
from openspade.evaluation.charts import Cycles
from openspade.memory.memory import Memory
from openspade.recipe import flat
from openspade.settings.section import FREE, SEEDING
from openspade.tokens import JSON

Axis = Literal["episodes", "tokens", "seconds", "cycles"]
SPENT: Mapping[Axis, tuple[str, ...]] = {
    "episodes": ("episodes/unaided",),
    "tokens": ("tokens/designer", "tokens/agent"),
    "seconds": ("seconds/cycle",),
}
"""The metrics that add up to each budget: the Agent's training episodes, all tokens sampled, all stages' seconds."""
EDGE_SHARE, EDGE_LEAST = 0.1, 3
"""First and last tenth of the cycles, but three where there are six, whose means a table compares."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Point:
    """One held-out evaluation and what the run had spent by then."""

    score: float
    spent: Mapping[Axis, float]


@dataclass(frozen=True, kw_only=True, slots=True)
class Trace:
    """One run as it is compared: its settings by path, every cycle's metrics, and its held-out scores."""

    name: str
    settings: Mapping[str, JSON]
    cycles: Cycles
    points: tuple[Point, ...]

    @property
    def seed(self) -> int:
        seed = self.settings.get("run.seed", 0)
        return seed if isinstance(seed, int) else 0

    def total(self) -> Mapping[Axis, float]:
        """What the whole run has cost so far."""
        return _spent(self.cycles, self.cycles[-1][0])

    def score_at(self, axis: Axis, budget: float) -> float:
        """The held-out score when this much was spent, on the straight line between two evaluations."""
        if not self.points:
            return math.nan
        for before, after in pairwise(self.points):
            start, end = before.spent[axis], after.spent[axis]
            if start <= budget <= end and end > start:
                return before.score + (after.score - before.score) * (budget - start) / (end - start)
        return self.points[-1].score if budget > self.points[0].spent[axis] else self.points[0].score


@dataclass(frozen=True, kw_only=True, slots=True)
class Group:
    """Runs of one setting that differ in their seeds only; `label` names the settings that tell groups apart."""

    label: str
    settings: Mapping[str, JSON]
    traces: tuple[Trace, ...]

    def gains(self, axis: Axis, budget: float) -> list[float]:
        """Held-out score at the budget less the first one, for each seed."""
        return [t.score_at(axis, budget) - t.points[0].score for t in self.traces if t.points]

    def final(self, axis: Axis, budget: float) -> dict[int, float]:
        """Held-out score at the budget by seed."""
        return {trace.seed: trace.score_at(axis, budget) for trace in self.traces if trace.points}


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """A group's held-out score at the budget less the reference's; `by_seed` holds the pairs, empty where unpaired."""

    label: str
    reference: str
    estimate: Estimate
    by_seed: Mapping[int, float]


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """Groups at the budget that all of their runs have reached, in the units of `axis`."""

    groups: tuple[Group, ...]
    axis: Axis
    budget: float
    differences: tuple[Difference, ...]


def read_trace(name: str, memory: Memory, settings: Mapping[str, JSON]) -> Trace:
    """A run's metrics and held-out scores on the suite that its settings name."""
    cycles = memory.metrics()
    suite = settings.get("evaluate.suite")
    scored = [
        (cycle, scores["heldout/score"])
        for cycle, of, scores in memory.evaluations()
        if of == suite and math.isfinite(scores.get("heldout/score", math.nan))
    ]
    points = tuple(Point(score=score, spent=_spent(cycles, cycle)) for cycle, score in scored)
    return Trace(name=name, settings=settings, cycles=cycles, points=points)


def compare(traces: Sequence[Trace], axis: Axis, reference: str = "") -> Comparison:
    """Group the runs and take every group's difference to the reference: the one of that label, else the one with
    default settings, else the first. It leads the groups.

    Raises ConfigError where a run has no cycle yet, a seed occurs twice, or the reference is no group.
    """
    for trace in traces:
        if not trace.cycles:
            raise ConfigError(f"{trace.name} has no finished cycle yet: leave it out, or resume it")
    groups = _groups(traces)
    ends = [trace.points[-1].spent[axis] for trace in traces if trace.points]
    budget = min(ends, default=math.nan)
    by_label = {group.label: group for group in groups}
    if reference and reference not in by_label:
        raise ConfigError(f"there is no group {reference!r}; there are: {'; '.join(by_label)}")
    against = by_label[reference] if reference else next(filter(_as_by_default, groups), groups[0])
    others = [group for group in groups if group is not against]
    differences = tuple(_difference(group, against, axis, budget) for group in others)
    return Comparison(groups=(against, *others), axis=axis, budget=budget, differences=differences)


def edges(trace: Trace, metric: str) -> tuple[float, float]:
    """Mean of a metric over the first and over the last cycles of a run; nan where it was not measured."""
    edge = edge_of(len(trace.cycles))
    return _mean(trace.cycles[:edge], metric), _mean(trace.cycles[-edge:], metric)


def edge_of(cycles: int) -> int:
    """How many cycles at either end of a run a table takes the mean of."""
    return max(1, min(EDGE_LEAST, cycles // 2), round(cycles * EDGE_SHARE))


def _groups(traces: Sequence[Trace]) -> list[Group]:
    paths = sorted({path for trace in traces for path in trace.settings} - Config.marked(FREE) - Config.marked(SEEDING))
    differing = [path for path in paths if len({json.dumps(trace.settings.get(path)) for trace in traces}) > 1]
    members: dict[str, list[Trace]] = {}
    for trace in traces:
        label = ", ".join(f"{path}={_word(trace.settings.get(path))}" for path in differing) or "all runs"
        members.setdefault(label, []).append(trace)
    return [_group(label, differing, runs) for label, runs in members.items()]


def _as_by_default(group: Group) -> bool:
    defaults = flat(Config().model_dump(mode="json", by_alias=True))
    return all(value == defaults.get(path) for path, value in group.settings.items())


def _group(label: str, differing: Sequence[str], traces: Sequence[Trace]) -> Group:
    by_seed = {trace.seed: trace for trace in traces}
    if len(by_seed) < len(traces):
        names = ", ".join(trace.name for trace in traces)
        raise ConfigError(f"two of these runs have the same settings and seed, so they are one run: {names}")
    settings = {path: traces[0].settings.get(path) for path in differing}
    return Group(label=label, settings=settings, traces=tuple(by_seed[seed] for seed in sorted(by_seed)))


def _difference(group: Group, against: Group, axis: Axis, budget: float) -> Difference:
    first, second = group.final(axis, budget), against.final(axis, budget)
    common = sorted(first.keys() & second.keys())
    if len(common) > 1 or first.keys() == second.keys():
        by_seed = {seed: first[seed] - second[seed] for seed in common}
        found = estimate([*by_seed.values()])
    else:
        by_seed, found = {}, estimate_difference([*first.values()], [*second.values()])
    return Difference(label=group.label, reference=against.label, estimate=found, by_seed=by_seed)


def _spent(cycles: Cycles, until: int) -> dict[Axis, float]:
    """What all cycles up to and including `until` cost; nothing before the first."""
    played = [metrics for cycle, metrics in cycles if cycle <= until]
    sums: dict[Axis, float] = {"cycles": float(len(played))}
    for axis, names in SPENT.items():
        sums[axis] = math.fsum(m.get(name, 0.0) for m in played for name in names)
    return sums


def _mean(cycles: Cycles, metric: str) -> float:
    values = [metrics[metric] for _, metrics in cycles if math.isfinite(metrics.get(metric, math.nan))]
    return fmean(values) if values else math.nan


def _word(value: JSON) -> str:
    return value if isinstance(value, str) and value else json.dumps(value)
