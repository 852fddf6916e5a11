"""`compare`: several runs as one table, one figure or one JSON object."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated

import typer

from openspade.cli.tables import show_table
from openspade.cli.terminal import duration, show, show_json
from openspade.errors import ConfigError, StorageError
from openspade.sources import DATABASE, open_memory
from openspade.tokens import JSON

if TYPE_CHECKING:
    from openspade.evaluation.bootstrap import Estimate
    from openspade.evaluation.compare import Comparison, Group, Trace

SHOWN = {
    "in band": "designs/in_band_share",
    "learnable": "designs/learnable_share",
    "solved": "designs/solve_rate_unaided",
    "regret": "designs/regret_mean",
    "accepted": "funnel/accepted_share",
    "variety": "curriculum/clusters_count",
}


class Budget(StrEnum):
    """What must be equal where scores are compared."""

    episodes = "episodes"
    tokens = "tokens"
    seconds = "seconds"
    cycles = "cycles"


def register(app: typer.Typer) -> None:
    app.command()(compare)


def compare(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs, or folders that hold runs.")],
    by: Annotated[Budget, typer.Option(help="The budget at which final scores are compared.")] = Budget.episodes,
    reference: Annotated[str, typer.Option(help="Label of the group that others are compared with.")] = "",
    png: Annotated[Path | None, typer.Option(help="Write the figure to this file.")] = None,
    pdf: Annotated[Path | None, typer.Option(help="Write the figure to this file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Compare runs: held-out score at equal budget, share in band, diversity, differences with intervals over seeds.

    Runs are grouped by the settings in which they differ; runs of a group differ in their seed only. Final scores are
    read where every run has spent the same: the Agent's training episodes, unless `--by` says otherwise. Differences
    are to the first group, paired by seed where two seeds or more are shared.

    Example: `openspade compare runs/nano-sweep --png nano.png`
    """
    from openspade.evaluation.compare import compare as compare_runs

    comparison = compare_runs([_trace(folder) for folder in _folders(runs)], by.value, reference)
    for path in filter(None, (png, pdf)):
        _draw(comparison, path)
    if as_json:
        show_json(_record(comparison))
        return
    _show_scores(comparison)
    _show_designs(comparison)
    _show_differences(comparison)
    for path in filter(None, (png, pdf)):
        show(f"Written: {path}")


def _folders(named: Sequence[Path]) -> list[Path]:
    found: list[Path] = []
    for folder in named:
        inside = (
            [folder] if (folder / DATABASE).exists() else sorted(path.parent for path in folder.glob(f"*/{DATABASE}"))
        )
        if not inside:
            raise ConfigError(f"{folder} holds no run: name the folder of a run, or one that holds folders of runs")
        found += inside
    return list(dict.fromkeys(found))


def _trace(folder: Path) -> Trace:
    from openspade.evaluation.compare import read_trace
    from openspade.recipe import flat
    from openspade.run_folder import stored_config

    settings = flat(stored_config(folder).model_dump(mode="json", by_alias=True))
    with open_memory(folder) as memory:
        return read_trace(str(folder), memory, settings)


def _draw(comparison: Comparison, path: Path) -> None:
    from openspade.evaluation.compare_charts import comparison_charts
    from openspade.evaluation.figures import save_sheet

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save_sheet(comparison_charts(comparison), path)
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {error.strerror}") from None


def _show_scores(comparison: Comparison) -> None:
    unit = {"seconds": "s"}.get(comparison.axis, comparison.axis)
    if math.isfinite(comparison.budget):
        show(f"Held-out score at {comparison.budget:,.0f} {unit}, which every run has reached.", style="bold")
    head = ["setting", "seeds", "first", "at budget", "gain"]
    show_table(head, [_score_row(group, comparison) for group in comparison.groups])
    show()
    show("What a run cost, mean of the seeds.", style="bold")
    head = ["setting", "cycles", "agent episodes", "tokens", "time"]
    show_table(head, [_cost_row(group) for group in comparison.groups])


def _score_row(group: Group, comparison: Comparison) -> list[str]:
    from openspade.evaluation.bootstrap import estimate

    axis, budget = comparison.axis, comparison.budget
    scored = [trace for trace in group.traces if trace.points]
    return [
        group.label,
        str(len(group.traces)),
        _number(estimate([trace.points[0].score for trace in scored]).mean),
        _interval(estimate([*group.final(axis, budget).values()])),
        _interval(estimate(group.gains(axis, budget)), signed=True),
    ]


def _cost_row(group: Group) -> list[str]:
    totals = [trace.total() for trace in group.traces]
    return [
        group.label,
        f"{fmean(total['cycles'] for total in totals):.0f}",
        _thousands(fmean(total["episodes"] for total in totals)),
        _thousands(fmean(total["tokens"] for total in totals)),
        duration(fmean(total["seconds"] for total in totals)),
    ]


def _show_designs(comparison: Comparison) -> None:
    show()
    show("Designs, first→last tenth of the cycles; variety is mechanics among the last 40.", style="bold")
    head = ["setting", *SHOWN]
    show_table(head, [[group.label, *_edge_cells(group)] for group in comparison.groups])


def _edge_cells(group: Group) -> Iterator[str]:
    from openspade.evaluation.compare import edges

    for metric in SHOWN.values():
        ends = [edges(trace, metric) for trace in group.traces]
        first, last = (_mean([pair[end] for pair in ends]) for end in (0, 1))
        yield f"{_number(first)}→{_number(last)}"


def _show_differences(comparison: Comparison) -> None:
    if not comparison.differences:
        return
    show()
    show(f"Held-out score at that budget, less that of {comparison.differences[0].reference}.", style="bold")
    rows = []
    for difference in comparison.differences:
        each = "  ".join(f"{seed}: {value:+.3f}" for seed, value in difference.by_seed.items())
        rows.append([difference.label, _interval(difference.estimate, signed=True), each or "not paired"])
    show_table(["setting", "difference [95 %]", "by seed"], rows)


def _interval(found: Estimate, *, signed: bool = False) -> str:
    if not math.isfinite(found.mean):
        return "-"
    sign = "+" if signed else ""
    bounds = f" [{found.low:{sign}.3f}, {found.high:{sign}.3f}]" if math.isfinite(found.low) else ""
    return f"{found.mean:{sign}.3f}{bounds}"


def _number(value: float) -> str:
    """Two decimals without the leading zero: a table has few columns to spare."""
    return f"{value:.2f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.1f}" if math.isfinite(value) else "-"


def _thousands(count: float) -> str:
    return f"{count / 1e6:.2f}M" if count >= 1e6 else f"{count / 1e3:.1f}k" if count >= 1e4 else f"{count:,.0f}"


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if math.isfinite(value)]
    return fmean(known) if known else math.nan


def _record(comparison: Comparison) -> dict[str, JSON]:
    return {
        "by": comparison.axis,
        "budget": comparison.budget,
        "groups": [_group_record(group, comparison) for group in comparison.groups],
        "differences": [
            {
                "setting": difference.label,
                "reference": difference.reference,
                **_estimate_record(difference.estimate),
                "by_seed": {str(seed): value for seed, value in difference.by_seed.items()},
            }
            for difference in comparison.differences
        ],
    }


def _group_record(group: Group, comparison: Comparison) -> dict[str, JSON]:
    from openspade.evaluation.bootstrap import estimate
    from openspade.evaluation.compare import edges

    final = group.final(comparison.axis, comparison.budget)
    gains = group.gains(comparison.axis, comparison.budget)
    return {
        "setting": group.label,
        "settings": dict(group.settings),
        "final": _estimate_record(estimate([*final.values()])),
        "gain": _estimate_record(estimate(gains)),
        "runs": [
            {
                "run": trace.name,
                "seed": trace.seed,
                "final": final.get(trace.seed),
                "total": {str(axis): value for axis, value in trace.total().items()},
                "curve": [
                    {"score": point.score, **{str(a): v for a, v in point.spent.items()}} for point in trace.points
                ],
                "first_last": {name: [*edges(trace, metric)] for name, metric in SHOWN.items()},
            }
            for trace in group.traces
        ],
    }


def _estimate_record(found: Estimate) -> dict[str, JSON]:
    return {"mean": found.mean, "low": found.low, "high": found.high}
