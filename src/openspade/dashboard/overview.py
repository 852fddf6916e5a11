"""A run at a glance: how it stands, its curves, and the same numbers to take away."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from openspade.dashboard.charts import CHARTS, HELD_OUT, all_numbers, as_csv, chart_numbers
from openspade.dashboard.run_index import OpenRun, writer_of
from openspade.dashboard.site import is_fragment, opened, run_page
from openspade.memory.read.run_metrics import (
    Event,
    Series,
    Standing,
    metric_names,
    read_evaluations,
    read_events,
    read_metrics,
    standing,
)
from openspade.memory.search.design_search import Entry, Search

RECENT_CYCLES = 10
"""Cycles that the funnel adds up and the time to the end is estimated from."""
TREND_CYCLES = 200
_TRENDS = (
    "designs/regret_mean",
    "designs/solve_rate_unaided",
    "designs/solve_rate_hinted",
    "designs/in_band_share",
    "designs/learnable_share",
    "funnel/accepted_share",
    "seconds/cycle",
    "tokens/agent",
    "tokens/designer",
    "episodes/count",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Score:
    """A held-out score with its interval; `cycle` -1 is before training."""

    cycle: int
    mean: float
    low: float
    high: float


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

    now: Standing
    cycles_wanted: int
    examined_every: int
    training: bool
    scores: Sequence[Score]
    trends: Series
    funnel: Sequence[Rung]
    largest_cluster: float
    collapse_share: float
    tokens_per_s: float
    episodes_per_s: float
    seconds_left: float | None
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
        charts = [(chart, json.dumps(asdict(chart))) for chart in CHARTS]
        return run_page(request, run, "overview.html", "overview", seen=seen, charts=charts, fragment=False)


def series_json(request: Request) -> Response:
    """The numbers of the charts."""
    with opened(request) as run:
        return JSONResponse(chart_numbers(run.database))


def export_csv(request: Request) -> Response:
    """Every metric of every cycle, for a spreadsheet."""
    with opened(request) as run:
        text = as_csv(*all_numbers(run.database))
    return Response(text, media_type="text/csv", headers=_download(request, "csv"))


def export_json(request: Request) -> Response:
    """Every metric of every cycle, and the held-out scores."""
    with opened(request) as run:
        cycles, series = all_numbers(run.database)
        scored, scores = read_evaluations(run.database, HELD_OUT)
    found = {
        "cycles": [cycle + 1 for cycle in cycles],
        "metrics": {name: list(map(_finite, values)) for name, values in series.items()},
        "evaluated_after_cycles": [cycle + 1 for cycle in scored],
        "evaluations": {name: list(map(_finite, values)) for name, values in scores.items()},
    }
    return JSONResponse(found, headers=_download(request, "json"))


def glance(run: OpenRun) -> Glance:
    now = standing(run.database)
    cycles, trends = read_metrics(run.database, _TRENDS, last=TREND_CYCLES)
    recent = {name: values[-RECENT_CYCLES:] for name, values in trends.items()}
    seconds = _total(recent["seconds/cycle"])
    wanted = run.settings.run.cycles if run.config else now.last_cycle + 1
    left = max(0, wanted - now.last_cycle - 1)
    training = writer_of(run.directory) is not None
    return Glance(
        now=now,
        cycles_wanted=wanted,
        examined_every=run.settings.evaluate.every,
        training=training,
        scores=read_scores(run),
        trends=trends,
        funnel=_funnel(run),
        largest_cluster=now.metrics.get("curriculum/largest_cluster_share", math.nan),
        collapse_share=run.settings.curriculum.collapse_share,
        tokens_per_s=(_total(recent["tokens/agent"]) + _total(recent["tokens/designer"])) / seconds
        if seconds
        else math.nan,
        episodes_per_s=_total(recent["episodes/count"]) / seconds if seconds else math.nan,
        seconds_left=left * seconds / min(len(cycles), RECENT_CYCLES) if training and cycles and left else None,
        latest=run.gallery.find(run.database, Search(limit=6)),
        events=read_events(run.database, limit=5),
    )


def read_scores(run: OpenRun) -> list[Score]:
    cycles, found = read_evaluations(run.database, HELD_OUT)
    columns = zip(cycles, *(found[name] for name in HELD_OUT), strict=True)
    return [Score(cycle=c, mean=mean, low=low, high=high) for c, mean, low, high in columns if math.isfinite(mean)]


def _funnel(run: OpenRun) -> list[Rung]:
    gates = [name for name in metric_names(run.database) if name.startswith("refused/")]
    names = ["funnel/drafts", "funnel/parsed", "funnel/accepted", "designs/qualified"]
    _, series = read_metrics(run.database, [*names, *gates], last=RECENT_CYCLES)
    counts = {name: _total(values) for name, values in series.items()}
    drafts = counts["funnel/drafts"]
    refusals = sorted(((counts[gate], gate) for gate in gates if counts[gate]), reverse=True)
    rungs = [
        ("drafts", drafts, "kept"),
        ("readable programs", counts["funnel/parsed"], "kept"),
        *((gate.removeprefix("refused/"), count, "refused") for count, gate in refusals),
        ("accepted", counts["funnel/accepted"], "kept"),
    ]
    return [
        Rung(name=name, count=round(count), share=count / drafts, kind=kind) for name, count, kind in rungs if drafts
    ]


def _total(values: Sequence[float]) -> float:
    return sum(value for value in values if math.isfinite(value))


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _download(request: Request, ending: str) -> Mapping[str, str]:
    name = "".join(character if character.isalnum() else "-" for character in request.path_params["run"])
    ascii_name = name.encode("ascii", "ignore").decode() or "run"
    return {"content-disposition": f'attachment; filename="{ascii_name}-metrics.{ending}"'}
