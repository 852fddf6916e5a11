"""What a report says of a run, before it is a page: figures, tables and exhibits."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from openspade.errors import ConfigError
from openspade.evaluation.charts import Chart, Cycles, Evaluations, run_charts
from openspade.evaluation.compare import edge_of
from openspade.evaluation.instructive import Exhibit, choose
from openspade.memory.memory import Memory
from openspade.memory.read.design_list import Wanted

NO_PROGRAM = "The reply held no readable program."
EXAMPLES = 500
COMPARED = {
    "Drafts accepted": "funnel/accepted_share",
    "Designs in the band": "designs/in_band_share",
    "Seeds with something to learn": "designs/learnable_share",
    "Solve rate, unaided": "designs/solve_rate_unaided",
    "Solve rate, hinted": "designs/solve_rate_hinted",
    "Regret": "designs/regret_mean",
    "Mechanics among the last 40 designs": "curriculum/clusters_count",
    "Designer's reward": "credit/designer_reward_mean",
    "Seconds a cycle": "seconds/cycle",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Refusal:
    """A gate, how many drafts it refused, and what it said to one of them."""

    gate: str
    count: int
    example: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RunReport:
    """One run told: `ends` holds means of the first and of the last `edge` cycles by label."""

    name: str
    summary: str
    heldout: str
    edge: int
    ends: Sequence[tuple[str, str, str]]
    charts: Sequence[Chart]
    refusals: Sequence[Refusal]
    exhibits: Sequence[Exhibit]
    events: Sequence[tuple[int, str, str]]


def read_report(memory: Memory) -> RunReport:
    """A run as its database tells it. Raises ConfigError before the first cycle, and StorageError."""
    cycles, evaluations = memory.metrics(), memory.evaluations()
    if not cycles:
        raise ConfigError(f"{memory.run_directory} has no finished cycle yet: there is nothing to report")
    edge = edge_of(len(cycles))
    return RunReport(
        name=memory.run_directory.resolve().name,
        summary=_summary(cycles),
        heldout=_heldout(evaluations),
        edge=edge,
        ends=[(label, _mean(cycles[:edge], m), _mean(cycles[-edge:], m)) for label, m in COMPARED.items()],
        charts=run_charts(cycles, evaluations),
        refusals=_refusals(cycles, memory),
        exhibits=choose(memory),
        events=memory.events(),
    )


def _summary(cycles: Cycles) -> str:
    def total(metric: str) -> float:
        return sum(metrics.get(metric, 0.0) for _, metrics in cycles)

    return (
        f"{len(cycles)} cycles in {total('seconds/cycle') / 60:.1f} minutes: {total('funnel/drafts'):.0f} drafts, "
        f"{total('funnel/accepted'):.0f} accepted; {total('episodes/count'):.0f} episodes; "
        f"{total('tokens/designer') + total('tokens/agent'):,.0f} tokens sampled."
    )


def _heldout(evaluations: Evaluations) -> str:
    scored = [(cycle, scores) for cycle, _, scores in evaluations if "heldout/score" in scores]
    if not scored:
        return ""
    (_, first), (last_cycle, last) = scored[0], scored[-1]
    return f"Held-out score: {_interval(first)} at first, {_interval(last)} after {last_cycle + 1} cycles."


def _interval(scores: Mapping[str, float]) -> str:
    low, high = scores.get("heldout/score_low", math.nan), scores.get("heldout/score_high", math.nan)
    return f"{scores['heldout/score']:.3f} [{low:.3f}, {high:.3f}]"


def _mean(cycles: Cycles, metric: str) -> str:
    values = [metrics[metric] for _, metrics in cycles if math.isfinite(metrics.get(metric, math.nan))]
    return f"{fmean(values):.3f}" if values else "-"


def _refusals(cycles: Cycles, memory: Memory) -> list[Refusal]:
    counts: Counter[str] = Counter()
    for _, metrics in cycles:
        counts.update({name.removeprefix("refused/"): int(n) for name, n in metrics.items() if _is_refusal(name)})
    designs = memory.designs(Wanted(accepted=False, limit=EXAMPLES))
    examples = {stored.problem.gate: stored.problem.message for stored in designs if stored.problem}
    return [
        Refusal(gate=gate, count=count, example=examples.get(gate, NO_PROGRAM)) for gate, count in counts.most_common()
    ]


def _is_refusal(metric: str) -> bool:
    return metric.startswith("refused/")
