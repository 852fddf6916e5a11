"""`compare`: several runs as one table, one figure or one JSON object."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated

import typer

from openspade.cli.tables import show_table
from openspade.cli.terminal import AsJson, show, show_json
from openspade.errors import ConfigError, StorageError
from openspade.memory.database import DATABASE_FILE
from openspade.metrics.catalogue import headlines, metric
from openspade.runview.formats import duration, ends, interval, number, signed, thousands
from openspade.runview.view import SCORE, RunView
from openspade.sources import open_memory
from openspade.tokens import JSON

if TYPE_CHECKING:
    from openspade.evaluation.bootstrap import Estimate
    from openspade.runview.compare import Comparison, Group


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
    as_json: AsJson = False,
) -> None:
    """Compare runs: held-out score at equal budget, share in band, diversity, differences with intervals over seeds.

    Runs are grouped by the settings in which they differ; runs of a group differ in their seed only. Final scores are
    read where every run has spent the same: the Agent's training episodes, unless `--by` says otherwise. Differences
    are to the first group, paired by seed where two seeds or more are shared.

    Example: `openspade compare runs/nano-sweep --png nano.png`
    """
    from openspade.runview.compare import compare as compare_runs

    comparison = compare_runs([_read(folder) for folder in _folders(runs)], by.value, reference)
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
        below = sorted(path.parent for path in folder.glob(f"*/{DATABASE_FILE}"))
        inside = [folder] if (folder / DATABASE_FILE).exists() else below
        if not inside:
            raise ConfigError(f"{folder} holds no run: name the folder of a run, or one that holds folders of runs")
        found += inside
    return list(dict.fromkeys(found))


def _read(folder: Path) -> RunView:
    from openspade.recipe import flat
    from openspade.run_folder import stored_config

    settings = flat(stored_config(folder).model_dump(mode="json", by_alias=True))
    with open_memory(folder) as memory:
        # Scores on another suite than the settings name compare with nothing.
        scored = [each for each in memory.evaluations() if each[1] == settings["evaluate.suite"]]
        return RunView.of(str(folder), memory.metrics(), scored, settings)


def _draw(comparison: Comparison, path: Path) -> None:
    from openspade.report.figures import save_sheet
    from openspade.runview.compare_charts import comparison_charts

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save_sheet(comparison_charts(comparison), path)
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {error.strerror}") from None


def _show_scores(comparison: Comparison) -> None:
    unit = {"seconds": "s"}.get(comparison.axis, comparison.axis)
    if math.isfinite(comparison.budget):
        told = f"{metric(SCORE).label} at {number(comparison.budget, 0)} {unit}, which every run has reached."
        show(told, style="bold")
    head = ["setting", "seeds", "first", "at budget", "gain"]
    show_table(head, [_score_row(group, comparison) for group in comparison.groups])
    show()
    show("What a run cost, mean of the seeds.", style="bold")
    show_table(["setting", "cycles", "agent episodes", "tokens", "time"], [*map(_cost_row, comparison.groups)])


def _score_row(group: Group, comparison: Comparison) -> list[str]:
    from openspade.evaluation.bootstrap import estimate

    final, gains = group.final(comparison.axis, comparison.budget), group.gains(comparison.axis, comparison.budget)
    return [
        group.label,
        str(len(group.runs)),
        number(estimate([run.scores[0].mean for run in group.runs if run.scores]).mean),
        _estimated(estimate([*final.values()])),
        _estimated(estimate(gains), sign=True),
    ]


def _cost_row(group: Group) -> list[str]:
    spent = [run.spent() for run in group.runs]
    cycles, episodes, tokens, seconds = (
        fmean(own[axis] for own in spent) for axis in ("cycles", "episodes", "tokens", "seconds")
    )
    return [group.label, number(cycles, 0), thousands(episodes), thousands(tokens), duration(seconds)]


def _show_designs(comparison: Comparison) -> None:
    show()
    rows = headlines(room=False)
    show("Designs, first→last tenth of the cycles.", style="bold")
    head = ["setting", *(row.short for row in rows)]
    show_table(
        head, [[group.label, *(ends(row, *group.edges(row.name)) for row in rows)] for group in comparison.groups]
    )


def _show_differences(comparison: Comparison) -> None:
    if not comparison.differences:
        return
    show()
    show(f"{metric(SCORE).label} at that budget, less that of {comparison.differences[0].reference}.", style="bold")
    rows = []
    for difference in comparison.differences:
        each = "  ".join(f"{seed}: {signed(value, 3)}" for seed, value in difference.by_seed.items())
        rows.append([difference.label, _estimated(difference.estimate, sign=True), each or "not paired"])
    show_table(["setting", "difference [95 %]", "by seed"], rows)


def _estimated(found: Estimate, *, sign: bool = False) -> str:
    return interval(found.mean, found.low, found.high, sign=sign)


def _record(comparison: Comparison) -> dict[str, JSON]:
    return {
        "by": comparison.axis,
        "budget": comparison.budget,
        "groups": [_group_record(group, comparison) for group in comparison.groups],
        "differences": [
            {
                "setting": difference.label,
                "reference": difference.reference,
                **asdict(difference.estimate),
                "by_seed": {str(seed): value for seed, value in difference.by_seed.items()},
            }
            for difference in comparison.differences
        ],
    }


def _group_record(group: Group, comparison: Comparison) -> dict[str, JSON]:
    from openspade.evaluation.bootstrap import estimate

    final = group.final(comparison.axis, comparison.budget)
    gains = group.gains(comparison.axis, comparison.budget)
    return {
        "setting": group.label,
        "settings": dict(group.settings),
        "final": asdict(estimate([*final.values()])),
        "gain": asdict(estimate(gains)),
        "runs": [{**_run_record(run), "final": final.get(run.seed)} for run in group.runs],
    }


def _run_record(run: RunView) -> dict[str, JSON]:
    total: dict[str, JSON] = {**run.spent()}
    curve: Sequence[JSON] = [{"score": score.mean, **run.spent(score.cycle)} for score in run.scores]
    return {
        "run": run.name,
        "seed": run.seed,
        "total": total,
        "curve": [*curve],
        "first_last": {row.short: [*run.edges(row.name)] for row in headlines(room=False)},
    }
