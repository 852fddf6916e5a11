"""All runs of a folder, and several of them side by side."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from openspade.dashboard.charts import COMPARED, chart_numbers
from openspade.dashboard.overview import Score, read_scores
from openspade.dashboard.run_index import OpenRun, Shelf, writer_of
from openspade.dashboard.site import site_of
from openspade.errors import StorageError
from openspade.memory.read.run_metrics import Series, Standing, read_metrics, standing
from openspade.run_folder import DATABASE_FILE

MOST_COMPARED = 6
"""Colours that stay apart for everybody, and lines that an eye can follow."""
_COLUMNS = (
    "designs/regret_mean",
    "designs/in_band_share",
    "designs/learnable_share",
    "designs/solve_rate_unaided",
    "designs/solve_rate_hinted",
    "funnel/accepted_share",
    "credit/designer_reward_mean",
    "seconds/cycle",
)
EDGE_CYCLES = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Summary:
    """A run in one row; `trouble` says why it cannot be read."""

    slug: str
    trouble: str = ""
    training: bool = False
    changed_s: float = 0.0
    now: Standing | None = None
    cycles_wanted: int = 0
    model: str = ""
    control: str = ""
    scores: Sequence[Score] = ()
    trends: Series | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Contrast:
    """A metric's mean over the first and the last cycles of each run."""

    metric: str
    cells: Sequence[tuple[float, float]]


def runs_page(request: Request) -> Response:
    site = site_of(request)
    if site.shelf.holds_one_run:
        return RedirectResponse(f"/run/{site.shelf.root.name}/")
    summaries = [summary(site.shelf, slug, folder) for slug, folder in site.shelf.runs().items()]
    summaries.sort(key=lambda found: (bool(found.trouble), not found.training, found.changed_s))
    return site.pages.render("runs.html", summaries=summaries, root=str(site.shelf.root))


def summary(shelf: Shelf, slug: str, folder: Path) -> Summary:
    changed_s = time.time() - _changed_at(folder)
    try:
        with shelf.open(slug) as run:
            return Summary(
                slug=slug,
                training=writer_of(folder) is not None,
                changed_s=changed_s,
                now=standing(run.database),
                cycles_wanted=run.settings.run.cycles if run.config else 0,
                model=_policy(run),
                control=run.settings.control,
                scores=read_scores(run),
                trends=read_metrics(run.database, ("designs/regret_mean",), last=100)[1],
            )
    except StorageError as error:
        return Summary(slug=slug, trouble=str(error), changed_s=changed_s)


def compare_page(request: Request) -> Response:
    site = site_of(request)
    on_shelf = site.shelf.runs()
    chosen = [slug for slug in dict.fromkeys(request.query_params.getlist("run")) if slug in on_shelf][:MOST_COMPARED]
    charts = [(chart, json.dumps(asdict(chart))) for chart in COMPARED]
    columns = [_column(site.shelf, slug) for slug in chosen]
    contrasts = [
        Contrast(metric=metric, cells=[column.get(metric, (math.nan, math.nan)) for column in columns])
        for metric in ("heldout/score", *_COLUMNS)
    ]
    return site.pages.render(
        "compare.html", chosen=chosen, on_shelf=list(on_shelf), charts=charts, contrasts=contrasts, edge=EDGE_CYCLES
    )


def compare_json(request: Request) -> Response:
    """The charts' numbers of every chosen run that can be read."""
    shelf = site_of(request).shelf
    found: dict[str, object] = {}
    for slug in request.query_params.getlist("run")[:MOST_COMPARED]:
        try:
            with shelf.open(slug) as run:
                found[slug] = chart_numbers(run.database, COMPARED)
        except StorageError:
            found[slug] = None
    return JSONResponse(found)


def _column(shelf: Shelf, slug: str) -> dict[str, tuple[float, float]]:
    try:
        with shelf.open(slug) as run:
            return _edges(run)
    except StorageError:
        return {}


def _edges(run: OpenRun) -> dict[str, tuple[float, float]]:
    cycles, series = read_metrics(run.database, _COLUMNS)
    edge = min(EDGE_CYCLES, max(1, len(cycles) // 2))
    found = {name: (_mean(values[:edge]), _mean(values[-edge:])) for name, values in series.items()}
    scores = read_scores(run)
    if scores:
        found["heldout/score"] = (scores[0].mean, scores[-1].mean)
    return found


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if math.isfinite(value)]
    return fmean(known) if known else math.nan


def _policy(run: OpenRun) -> str:
    return "unknown" if run.config is None else run.settings.policy.label


def _changed_at(folder: Path) -> float:
    files = (folder / f"{DATABASE_FILE}{ending}" for ending in ("", "-wal"))
    return max((file.stat().st_mtime for file in files if file.exists()), default=0.0)
