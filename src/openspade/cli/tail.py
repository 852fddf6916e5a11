"""`tail`: a run's last cycles and events, and those still to come, read beside whoever plays it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openspade.cli.run_summary import cycle_line
from openspade.cli.terminal import show, show_json
from openspade.memory.database import DATABASE_FILE
from openspade.metrics.catalogue import metric
from openspade.runview.formats import MISSING
from openspade.runview.view import SCORE, held_out
from openspade.tokens import JSON

if TYPE_CHECKING:
    from openspade.memory.database import Database
    from openspade.memory.read.run_metrics import Happening

POLL_S = 1.0
MOST_AT_ONCE = 1000


def register(app: typer.Typer) -> None:
    app.command()(tail)


def tail(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The run's folder, e.g. runs/nano.")],
    *,
    lines: Annotated[int, typer.Option("-n", "--lines", min=0, help="How many of the latest to begin with.")] = 10,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on with what happens.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")] = False,
) -> None:
    """Show a run's last cycles, held-out scores and events, one a line, from its database.

    It only reads: the process that plays the run is not disturbed. With --follow it ends with the run's last cycle, or
    with Ctrl-C.

    Example: `openspade tail runs/nano -f`
    """
    from openspade.memory.database import Database
    from openspade.memory.read.run_metrics import cycles_wanted

    database = Database(run / DATABASE_FILE, readonly=True)
    try:
        for happening in watch(database, lines, lambda: time.sleep(POLL_S) if follow else None, follow=follow):
            if as_json:
                show_json(record_of(happening))
            else:
                show(line_of(happening, cycles_wanted(database)), style="yellow" if happening.kind == "event" else "")
    finally:
        database.close()


def watch(database: Database, lines: int, wait: Callable[[], None], *, follow: bool) -> Iterator[Happening]:
    """The latest `lines` happenings; with `follow` those to come too, looked for after each `wait`."""
    from openspade.memory.read.run_metrics import Mark, cycles_wanted, news

    found, mark = news(database, Mark(), max(lines, 1))
    yield from found if lines else ()
    while follow and mark.cycle + 1 < (cycles_wanted(database) or math.inf):
        wait()
        found, mark = news(database, mark, MOST_AT_ONCE)
        yield from found


def line_of(happening: Happening, cycles: int | None) -> str:
    """A happening for people; a cycle's fits into 80 columns."""
    numbers, place = happening.numbers, f"{happening.cycle + 1}/{cycles}" if cycles else f"{happening.cycle + 1}"
    if happening.kind == "event":
        return f"{happening.name}, cycle {place}: {happening.text}"
    if happening.kind == "evaluation":
        scores = held_out([(happening.cycle, happening.name, numbers)])
        when = f"after cycle {place}" if happening.cycle >= 0 else "before the first cycle"
        told = scores[0] if scores else MISSING
        return f"{metric(SCORE).short} {told} on {happening.name} {when}"
    return cycle_line(numbers, place)


def record_of(happening: Happening) -> dict[str, JSON]:
    """A happening for a machine."""
    record: dict[str, JSON] = {"kind": happening.kind, "cycle": happening.cycle}
    if happening.kind == "event":
        return {**record, "event": happening.name, "text": happening.text}
    if happening.kind == "evaluation":
        return {**record, "suite": happening.name, "scores": dict(happening.numbers)}
    return {**record, "metrics": dict(happening.numbers)}
