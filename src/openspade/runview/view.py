"""One run as far as it was read: settings, metrics, held-out scores, and what follows from them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from openspade.memory.read.run_metrics import Cycles, Evaluations
from openspade.metrics.catalogue import metric
from openspade.runview.formats import interval, mean, total
from openspade.tokens import JSON

Axis = Literal["episodes", "tokens", "seconds", "cycles"]
SPENT: Mapping[Axis, tuple[str, ...]] = {
    "episodes": ("episodes/unaided",),
    "tokens": ("tokens/designer", "tokens/agent"),
    "seconds": ("seconds/cycle",),
}
"""The metrics that add up to each budget: the Agent's training episodes, all tokens sampled, all stages' seconds."""
EDGE_SHARE, EDGE_LEAST = 0.1, 3
"""First and last tenth of the cycles, but three where there are six, whose means tables compare."""
RECENT_CYCLES = 10
"""Cycles that a funnel adds up and the time to the end is estimated from."""
REFUSED = "refused/"
SCORE = "heldout/score"
RATES = {"rate/designer_tokens": "tokens/designer", "rate/agent_tokens": "tokens/agent"}
"""What is worked out here from a cycle's count and its seconds."""


@dataclass(frozen=True, kw_only=True, slots=True)
class HeldOutScore:
    """A held-out score with its interval, nan where none is stored; `cycle` -1 is before training."""

    cycle: int
    mean: float
    low: float = math.nan
    high: float = math.nan

    def __str__(self) -> str:
        return interval(self.mean, self.low, self.high)


@dataclass(kw_only=True, slots=True)
class RunView:
    """A run: `settings` by dotted path; cycles in order, as many as were read."""

    name: str
    settings: Mapping[str, JSON] = field(default_factory=dict)
    cycles: Cycles = ()
    scores: Sequence[HeldOutScore] = ()

    @staticmethod
    def of(name: str, cycles: Cycles, evaluations: Evaluations, settings: Mapping[str, JSON] | None = None) -> RunView:
        """A run from its tables; held-out scores are those on the suite that its settings name."""
        settings = settings or {}
        scores = held_out(evaluations, settings.get("evaluate.suite"))
        return RunView(name=name, settings=settings, cycles=cycles, scores=scores)

    @property
    def seed(self) -> int:
        seed = self.settings.get("run.seed", 0)
        return seed if isinstance(seed, int) else 0

    @property
    def last_cycle(self) -> int:
        """-1 before the first."""
        return self.cycles[-1][0] if self.cycles else -1

    @property
    def cycles_wanted(self) -> int:
        """How many it has in all, as its settings say; those it has where they do not."""
        wanted = self.settings.get("run.cycles")
        return wanted if isinstance(wanted, int) else self.last_cycle + 1

    @property
    def edge(self) -> int:
        """How many cycles at either end a table takes the mean of."""
        return max(1, min(EDGE_LEAST, len(self.cycles) // 2), round(len(self.cycles) * EDGE_SHARE))

    def now(self, name: str) -> float:
        """A metric in the last cycle; nan where it was not measured."""
        return _value(self.cycles[-1][1], name) if self.cycles else math.nan

    def series(self, name: str, last: int = 0) -> list[float]:
        """A metric cycle by cycle, nan where it was not measured; only the last so many where asked."""
        return [_value(metrics, name) for _, metrics in self.cycles[-last:]]

    def total(self, name: str, last: int = 0) -> float:
        return total(self.series(name, last))

    def edges(self, name: str) -> tuple[float, float]:
        """Mean over the first and over the last cycles; the first and the last held-out score. Nan where unmeasured."""
        if name == SCORE:
            return (self.scores[0].mean, self.scores[-1].mean) if self.scores else (math.nan, math.nan)
        values = self.series(name)
        return mean(values[: self.edge]), mean(values[-self.edge :])

    def refusals(self, last: int = 0) -> list[tuple[str, int]]:
        """Gates that refused drafts in the last so many cycles, or in all, the busiest first."""
        counts: Counter[str] = Counter()
        for _, metrics in self.cycles[-last:]:
            counts.update(
                {name.removeprefix(REFUSED): int(n) for name, n in metrics.items() if name.startswith(REFUSED)}
            )
        return sorted(((gate, count) for gate, count in counts.items() if count), key=lambda item: (-item[1], item[0]))

    def per_second(self, *names: str) -> float:
        """What those counts came to in a second of the recent cycles; nan before any was timed."""
        seconds = self.total("seconds/cycle", RECENT_CYCLES)
        return math.fsum(self.total(name, RECENT_CYCLES) for name in names) / seconds if seconds else math.nan

    def seconds_left(self) -> float:
        """What the remaining cycles take at the recent pace; nan before the first."""
        return mean(self.series("seconds/cycle", RECENT_CYCLES)) * max(0, self.cycles_wanted - self.last_cycle - 1)

    def spent(self, until: int | None = None) -> Mapping[Axis, float]:
        """What all cycles up to and including `until` cost, or the whole run so far; nothing before the first."""
        played = [metrics for cycle, metrics in self.cycles if until is None or cycle <= until]
        sums: dict[Axis, float] = {"cycles": float(len(played))}
        for axis, names in SPENT.items():
            sums[axis] = math.fsum(m.get(name, 0.0) for m in played for name in names)
        return sums

    def score_at(self, axis: Axis, budget: float) -> float:
        """The held-out score when this much was spent, on the straight line between two evaluations."""
        points = self.score_points(axis)
        if not points:
            return math.nan
        for (start, before), (end, after) in pairwise(points):
            if start <= budget <= end and end > start:
                return before + (after - before) * (budget - start) / (end - start)
        return points[-1][1] if budget > points[0][0] else points[0][1]

    def score_points(self, axis: Axis) -> list[tuple[float, float]]:
        """What was spent by each evaluation, and its score."""
        return [(self.spent(score.cycle)[axis], score.mean) for score in self.scores]


def held_out(evaluations: Evaluations, suite: object = None) -> list[HeldOutScore]:
    """The scores on a suite; on the one evaluated last where that one was never evaluated."""
    scored = [(cycle, of, scores) for cycle, of, scores in evaluations if math.isfinite(_value(scores, SCORE))]
    row = metric(SCORE)
    shown = suite if any(of == suite for _, of, _ in scored) else next((of for _, of, _ in reversed(scored)), None)
    return [
        HeldOutScore(cycle=cycle, mean=scores[SCORE], low=_value(scores, row.low), high=_value(scores, row.high))
        for cycle, of, scores in scored
        if of == shown
    ]


def _value(metrics: Mapping[str, float], name: str) -> float:
    if name in RATES:
        seconds = metrics.get("seconds/cycle", math.nan)
        return metrics.get(RATES[name], math.nan) / seconds if seconds > 0 else math.nan
    return metrics.get(name, math.nan)
