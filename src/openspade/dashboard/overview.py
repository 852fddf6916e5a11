"""A run at a glance: how it stands, its curves, and the same numbers to take away."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from openspade.dashboard.run_index import OpenRun, writer_of
from openspade.dashboard.site import is_fragment, opened, run_page
from openspade.memory.read.run_metrics import (
    Event,
    RunStatus,
    metric_names,
    read_cycles,
    read_evaluations,
    read_events,
    run_status,
)
from openspade.memory.search.design_search import Entry, Search
from openspade.metrics.catalogue import metric
from openspade.recipe import flat
from openspade.runview.charts import charted_names, run_charts
from openspade.runview.formats import finite
from openspade.runview.view import RECENT_CYCLES, SCORE, RunView

TREND_CYCLES = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class Rung:
    """A step of the funnel: how many drafts were left, or how many a gate refused."""

    name: str
    count: int
    share: float
    kind: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Glance:
    """What the top of the page shows, and what is asked for again while a training runs."""

    now: RunStatus
    view: RunView
    examined_every: int
    training: bool
    funnel: Sequence[Rung]
    collapse_share: float
    latest: Sequence[Entry]
    events: Sequence[Event]

    @property
    def mark(self) -> str:
        """Differs when there is something new to see."""
        return f"{self.now.last_cycle}{'-training' if self.training else ''}"


def overview_page(request: Request) -> Response:
    with opened(request) as run:
        seen = glance(run)
        if is_fragment(request):
            if request.query_params.get("seen") == seen.mark:
                return Response(status_code=204)
            return run_page(request, run, "overview_live.html", "overview", seen=seen, fragment=True)
        return run_page(request, run, "overview.html", "overview", seen=seen, fragment=False)


def series_json(request: Request) -> Response:
    """The charts with their numbers."""
    with opened(request) as run:
        return JSONResponse(finite([asdict(chart) for chart in run_charts(read_view(run, charted_names()))]))


def export_csv(request: Request) -> Response:
    """Every metric of every cycle, counted from 1, for a spreadsheet; an empty cell where nothing was measured."""
    with opened(request) as run:
        names, cycles = metric_names(run.database), read_cycles(run.database)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["cycle", *names])
    for cycle, metrics in cycles:
        values = (metrics.get(name, math.nan) for name in names)
        writer.writerow([cycle + 1, *("" if math.isnan(value) else repr(value) for value in values)])
    return Response(text.getvalue(), media_type="text/csv", headers=_download(request, "csv"))


def export_json(request: Request) -> Response:
    """Every metric of every cycle, and the held-out scores."""
    with opened(request) as run:
        names, view = metric_names(run.database), read_view(run)
    row = metric(SCORE)
    columns = {row.name: "mean", row.low: "low", row.high: "high"}
    found = {
        "cycles": [cycle + 1 for cycle, _ in view.cycles],
        "metrics": {name: finite(view.series(name)) for name in names},
        "evaluated_after_cycles": [score.cycle + 1 for score in view.scores],
        "evaluations": {name: finite([getattr(score, end) for score in view.scores]) for name, end in columns.items()},
    }
    return JSONResponse(found, headers=_download(request, "json"))


def glance(run: OpenRun) -> Glance:
    view = read_view(run, last=TREND_CYCLES)
    return Glance(
        now=run_status(run.database),
        view=view,
        examined_every=run.settings.evaluate.every,
        training=writer_of(run.directory) is not None,
        funnel=_funnel(view),
        collapse_share=run.settings.curriculum.collapse_share,
        latest=run.gallery.find(run.database, Search(limit=6)),
        events=read_events(run.database, limit=5),
    )


def read_view(run: OpenRun, names: Sequence[str] | None = None, *, last: int | None = None) -> RunView:
    """A run with all of its metrics or those named, of its last cycles or of all."""
    settings = flat(run.config.model_dump(mode="json", by_alias=True)) if run.config else {}
    cycles = read_cycles(run.database, names, last=last)
    return RunView.of(run.slug, cycles, read_evaluations(run.database), settings)


def _funnel(view: RunView) -> list[Rung]:
    drafts, parsed, accepted = (
        (metric(name).short, round(view.total(name, RECENT_CYCLES)), "kept")
        for name in ("funnel/drafts", "funnel/parsed", "funnel/accepted")
    )
    refused = [(gate, count, "refused") for gate, count in view.refusals(RECENT_CYCLES)]
    return [
        Rung(name=name, count=count, share=count / drafts[1], kind=kind)
        for name, count, kind in (drafts, parsed, *refused, accepted)
        if drafts[1]
    ]


def _download(request: Request, ending: str) -> Mapping[str, str]:
    name = "".join(character if character.isalnum() else "-" for character in request.path_params["run"])
    ascii_name = name.encode("ascii", "ignore").decode() or "run"
    return {"content-disposition": f'attachment; filename="{ascii_name}-metrics.{ending}"'}
