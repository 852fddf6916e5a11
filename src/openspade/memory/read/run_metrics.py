"""A run's course as a reader follows it: facts, metrics by name, evaluations and events, read beside the writer."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from openspade.memory.database import Database
from openspade.tokens import JSON

Series = Mapping[str, Sequence[float]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """Where a run is: `last_cycle` is -1 before the first; `metrics` are the last cycle's."""

    last_cycle: int
    designs: int
    accepted: int
    facts: Mapping[str, JSON]
    metrics: Mapping[str, float]


@dataclass(frozen=True, kw_only=True, slots=True)
class Event:
    """Something worth telling; `number` orders events."""

    number: int
    cycle: int
    kind: str
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Column:
    """A metric over the run's cycles; nan where it was not measured or not finite."""

    name: str
    values: Sequence[float]


def standing(database: Database) -> Standing:
    """The run at this moment."""
    last = last_cycle(database)
    counts = database.row("SELECT coalesce(max(number), 0) AS designs, max(accepted_number) AS accepted FROM designs")
    assert counts is not None
    facts = database.row("SELECT facts FROM runs LIMIT 1")
    rows = database.rows("SELECT name, value FROM metrics WHERE cycle = ?", (last,))
    return Standing(
        last_cycle=last,
        designs=counts["designs"],
        accepted=counts["accepted"] or 0,
        facts=json.loads(facts["facts"]) if facts else {},
        metrics={row["name"]: math.nan if row["value"] is None else row["value"] for row in rows},
    )


def last_cycle(database: Database) -> int:
    """The last committed cycle; -1 before the first."""
    row = database.row("SELECT coalesce(max(cycle), -1) AS cycle FROM cycles")
    return int(row["cycle"]) if row else -1


def metric_names(database: Database) -> tuple[str, ...]:
    """Every metric that some cycle measured."""
    return tuple(row["name"] for row in database.rows("SELECT DISTINCT name FROM metrics ORDER BY name"))


def read_metrics(database: Database, names: Sequence[str], *, last: int | None = None) -> tuple[list[int], Series]:
    """Cycles, and each metric over them, of the last `last` cycles or of all."""
    first = 0 if last is None else last_cycle(database) - last + 1
    query = "SELECT cycle FROM cycles WHERE cycle >= ? ORDER BY cycle"
    cycles = [int(row["cycle"]) for row in database.rows(query, (first,))]
    place = {cycle: index for index, cycle in enumerate(cycles)}
    series = {name: [math.nan] * len(cycles) for name in names}
    marks = ", ".join("?" * len(names))
    query = f"SELECT cycle, name, value FROM metrics WHERE cycle >= ? AND name IN ({marks}) AND value IS NOT NULL"
    for row in database.rows(query, (first, *names)):
        if row["cycle"] in place:
            series[row["name"]][place[row["cycle"]]] = row["value"]
    return cycles, series


def read_evaluations(database: Database, names: Sequence[str]) -> tuple[list[int], Series]:
    """Cycles of held-out evaluations (-1 is before training), and each score over them."""
    marks = ", ".join("?" * len(names))
    rows = database.rows(f"SELECT cycle, name, value FROM evaluations WHERE name IN ({marks}) ORDER BY cycle", names)
    cycles = sorted({int(row["cycle"]) for row in rows})
    place = {cycle: index for index, cycle in enumerate(cycles)}
    series = {name: [math.nan] * len(cycles) for name in names}
    for row in rows:
        if row["value"] is not None:
            series[row["name"]][place[row["cycle"]]] = row["value"]
    return cycles, series


def read_events(
    database: Database, *, kind: str | None = None, before: int | None = None, limit: int = 100
) -> tuple[Event, ...]:
    """Events, latest first; `before` is the number of the last one already shown."""
    wanted = {"kind = ?": kind, "number < ?": before}
    used = {condition: value for condition, value in wanted.items() if value is not None}
    where = " AND ".join(used) or "1"
    query = f"SELECT number, cycle, kind, text FROM events WHERE {where} ORDER BY number DESC LIMIT ?"
    return tuple(
        Event(number=row["number"], cycle=row["cycle"], kind=row["kind"], text=row["text"])
        for row in database.rows(query, (*used.values(), limit))
    )


def event_kinds(database: Database) -> tuple[str, ...]:
    """The kinds of events that occurred."""
    return tuple(row["kind"] for row in database.rows("SELECT DISTINCT kind FROM events ORDER BY kind"))


def read_sketches(database: Database, limit: int) -> list[tuple[int, bytes]]:
    """Number and program sketch of accepted designs, spread evenly over the run, at most `limit`."""
    row = database.row("SELECT max(accepted_number) AS n FROM designs")
    total = (row["n"] or 0) if row else 0
    step = max(1, math.ceil(total / limit))
    query = (
        "SELECT designs.number, program FROM designs JOIN sketches ON sketches.number = designs.number "
        "WHERE accepted_number IN (SELECT value FROM json_each(?)) ORDER BY accepted_number"
    )
    wanted = json.dumps(list(range(total, 0, -step)))
    return [(found["number"], found["program"]) for found in database.rows(query, (wanted,))]
