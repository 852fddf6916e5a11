"""All runs of a folder, and several of them side by side."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from openspade.dashboard.overview import read_view
from openspade.dashboard.run_index import OpenRun, RunIndex, writer_of
from openspade.dashboard.site import site_of
from openspade.errors import StorageError
from openspade.memory.read.run_metrics import RunStatus, run_status
from openspade.metrics.catalogue import headlines
from openspade.run_folder import DATABASE_FILE
from openspade.runview.charts import COLOURS, charted_names, overlaid
from openspade.runview.formats import finite
from openspade.runview.view import RunView

MOST_COMPARED = 6
"""Lines that an eye can follow."""
TREND = "designs/regret_mean"
TREND_CYCLES = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class Summary:
    """A run in one row; `trouble` says why it cannot be read."""

    slug: str
    trouble: str = ""
    training: bool = False
    changed_s: float = 0.0
    now: RunStatus | None = None
    view: RunView | None = None
    model: str = ""
    control: str = ""


def runs_page(request: Request) -> Response:
    site = site_of(request)
    if site.index.holds_one_run:
        return RedirectResponse(f"/run/{site.index.root.name}/")
    summaries = [summary(site.index, slug, folder) for slug, folder in site.index.runs().items()]
    summaries.sort(key=lambda found: (bool(found.trouble), not found.training, found.changed_s))
    return site.pages.render("runs.html", summaries=summaries, root=str(site.index.root), trend=TREND)


def summary(index: RunIndex, slug: str, folder: Path) -> Summary:
    changed_s = time.time() - _changed_at(folder)
    try:
        with index.open(slug) as run:
            return Summary(
                slug=slug,
                training=writer_of(folder) is not None,
                changed_s=changed_s,
                now=run_status(run.database),
                view=read_view(run, (TREND,), last=TREND_CYCLES),
                model=_policy(run),
                control=run.settings.control,
            )
    except StorageError as error:
        return Summary(slug=slug, trouble=str(error), changed_s=changed_s)


def compare_page(request: Request) -> Response:
    site = site_of(request)
    on_disk = site.index.runs()
    chosen = [slug for slug in dict.fromkeys(request.query_params.getlist("run")) if slug in on_disk][:MOST_COMPARED]
    names = [row.name for row in headlines(room=True)]
    views = {view.name: view for view in _read(site.index, chosen, names)}
    rows = [
        (row, [views[slug].edges(row.name) if slug in views else (None, None) for slug in chosen])
        for row in headlines(room=True)
    ]
    edges = sorted({view.edge for view in views.values()})
    return site.pages.render(
        "compare.html", chosen=[*zip(chosen, COLOURS, strict=False)], on_disk=list(on_disk), rows=rows, edges=edges
    )


def compare_json(request: Request) -> Response:
    """The charts of every chosen run that can be read, laid over each other."""
    chosen = request.query_params.getlist("run")[:MOST_COMPARED]
    views = [*_read(site_of(request).index, chosen, charted_names())]
    return JSONResponse(finite([asdict(chart) for chart in overlaid(views)]))


def _read(index: RunIndex, slugs: list[str], names: list[str]) -> Iterator[RunView]:
    """An unreadable run has a view without anything in it, so that the others keep their colours."""
    for slug in slugs:
        try:
            with index.open(slug) as run:
                yield read_view(run, names)
        except StorageError:
            yield RunView(name=slug)


def _policy(run: OpenRun) -> str:
    return "unknown" if run.config is None else run.settings.policy.label


def _changed_at(folder: Path) -> float:
    files = (folder / f"{DATABASE_FILE}{ending}" for ending in ("", "-wal"))
    return max((file.stat().st_mtime for file in files if file.exists()), default=0.0)
