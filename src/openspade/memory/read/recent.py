"""What happened in a run since one last looked: cycles, held-out scores, events, read beside the writer."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from openspade.memory.database import Database

ORDER = ("cycle", "evaluation", "event")


@dataclass(frozen=True, kw_only=True, slots=True)
class Happening:
    """A cycle with its metrics, an evaluation of a suite (`name`) with its scores, or an event of a kind (`name`)."""

    kind: Literal["cycle", "evaluation", "event"]
    cycle: int
    name: str = ""
    text: str = ""
    numbers: Mapping[str, float]


@dataclass(frozen=True, kw_only=True, slots=True)
class Mark:
    """How far one has read."""

    cycle: int = -1
    event: int = 0
    evaluations: frozenset[tuple[int, str]] = frozenset()


def news(database: Database, since: Mark, limit: int) -> tuple[list[Happening], Mark]:
    """At most `limit` latest happenings since a mark, in the order of their cycles, and the mark to go on from."""
    cycles = database.rows("SELECT cycle FROM cycles WHERE cycle > ? ORDER BY cycle DESC LIMIT ?", (since.cycle, limit))
    events = database.rows(
        "SELECT number, cycle, kind, text FROM events WHERE number > ? ORDER BY number DESC LIMIT ?",
        (since.event, limit),
    )
    examined = {
        (row["cycle"], row["suite"])
        for row in database.rows("SELECT DISTINCT cycle, suite FROM evaluations")
        if (row["cycle"], row["suite"]) not in since.evaluations
    }
    found = [
        *(Happening(kind="cycle", cycle=row["cycle"], numbers=_metrics(database, row["cycle"])) for row in cycles),
        *(_evaluation(database, cycle, suite) for cycle, suite in sorted(examined)),
        *(
            Happening(kind="event", cycle=row["cycle"], name=row["kind"], text=row["text"], numbers={})
            for row in reversed(events)
        ),
    ]
    mark = Mark(
        cycle=cycles[0]["cycle"] if cycles else since.cycle,
        event=events[0]["number"] if events else since.event,
        evaluations=since.evaluations | examined,
    )
    ordered = sorted(found, key=lambda happening: (happening.cycle, ORDER.index(happening.kind)))
    return ordered[max(0, len(ordered) - limit) :], mark


def cycles_wanted(database: Database) -> int | None:
    """How many cycles the run has in all, as its process last said; None when it did not."""
    row = database.row("SELECT facts FROM runs LIMIT 1")
    config = json.loads(row["facts"]).get("config") if row else None
    return int(config["run"]["cycles"]) if config else None


def _metrics(database: Database, cycle: int) -> Mapping[str, float]:
    rows = database.rows("SELECT name, value FROM metrics WHERE cycle = ? ORDER BY name", (cycle,))
    return {row["name"]: math.nan if row["value"] is None else row["value"] for row in rows}


def _evaluation(database: Database, cycle: int, suite: str) -> Happening:
    query = "SELECT name, value FROM evaluations WHERE cycle = ? AND suite = ? ORDER BY name"
    rows = database.rows(query, (cycle, suite))
    numbers = {row["name"]: math.nan if row["value"] is None else row["value"] for row in rows}
    return Happening(kind="evaluation", cycle=cycle, name=suite, numbers=numbers)
