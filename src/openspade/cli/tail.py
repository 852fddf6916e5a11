"""`tail`: a run's last cycles and events, and those still to come, read beside whoever plays it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openspade.cli.run_summary import of_drafts, percent, signed
from openspade.cli.terminal import duration, show, show_json
from openspade.sources import DATABASE
from openspade.tokens import JSON

if TYPE_CHECKING:
    from openspade.memory.database import Database
    from openspade.memory.read.recent import Happening

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
    from openspade.memory.read.recent import cycles_wanted

    database = Database(run / DATABASE, readonly=True)
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
    from openspade.memory.read.recent import Mark, cycles_wanted, news

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
        score, low, high = (numbers.get(f"heldout/{name}", math.nan) for name in ("score", "score_low", "score_high"))
        when = f"after cycle {place}" if happening.cycle >= 0 else "before the first cycle"
        return f"held-out {score:.3f} [{low:.3f}, {high:.3f}] on {happening.name} {when}"
    return _cycle_line(numbers, place)


def _cycle_line(numbers: Mapping[str, float], place: str) -> str:
    def now(name: str) -> float:
        return numbers.get(name, math.nan)

    accepted = of_drafts(now("funnel/accepted"), now("funnel/drafts"))
    solved = f"{percent(now('designs/solve_rate_unaided'))}/{percent(now('designs/solve_rate_hinted'))}"
    return (
        f"cycle {place:<8} accepted {accepted:<6} band {percent(now('designs/in_band_share')):<4} "
        f"regret {signed(now('designs/regret_mean')):<5} solved {solved:<9} {_seconds(now('seconds/cycle'))}"
    )


def _seconds(value: float) -> str:
    return duration(value) if math.isfinite(value) else "-"


def record_of(happening: Happening) -> dict[str, JSON]:
    """A happening for a machine."""
    record: dict[str, JSON] = {"kind": happening.kind, "cycle": happening.cycle}
    if happening.kind == "event":
        return {**record, "event": happening.name, "text": happening.text}
    if happening.kind == "evaluation":
        return {**record, "suite": happening.name, "scores": dict(happening.numbers)}
    return {**record, "metrics": dict(happening.numbers)}
