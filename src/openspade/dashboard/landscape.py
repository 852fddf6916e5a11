"""The map: every mechanic an island, coloured by when it was found, what it exercises, or how it is played."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from openspade.dashboard.projection import project
from openspade.dashboard.rendering import headline, visible
from openspade.dashboard.site import opened, run_page
from openspade.memory.read.run_metrics import read_sketches

MOST_POINTS = 3000
KEPT_LAYOUTS = 4


class Layouts:
    """The latest layouts by run and by its accepted designs: half a second each, asked for at every look."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[Path, int, int], Sequence[Sequence[float]]] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, directory: Path, sketches: Sequence[tuple[int, bytes]]) -> Sequence[Sequence[float]]:
        key = (directory, len(sketches), sketches[-1][0] if sketches else 0)
        with self._lock:
            if key not in self._kept:
                self._kept[key] = project([sketch for _, sketch in sketches]).round(4).tolist()
                while len(self._kept) > KEPT_LAYOUTS:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(key)
            return self._kept[key]


def map_page(request: Request) -> Response:
    with opened(request) as run:
        return run_page(request, run, "map.html", "map", most=MOST_POINTS)


def map_json(request: Request) -> Response:
    """Points with what colours them, column by column."""
    with opened(request) as run:
        sketches = read_sketches(run.database, MOST_POINTS)
        run.gallery.refresh(run.database)
        entries = run.gallery.entries([number for number, _ in sketches])
        points = request.app.state.layouts.of(run.directory, sketches)
    return JSONResponse(
        {
            "x": [point[0] for point in points],
            "y": [point[1] for point in points],
            "id": [entry.id for entry in entries],
            "title": [visible(headline(entry.title, 80)) for entry in entries],
            "skill": [visible(entry.skill) for entry in entries],
            "cycle": [entry.cycle + 1 for entry in entries],
            "solve": [entry.solve_rate for entry in entries],
            "regret": [entry.regret for entry in entries],
        }
    )
