"""A run as its tables tell it: status, metrics, held-out scores, events, and what happened since one last looked.

Everything that shows a run reads it here, beside the process that writes it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from openspade.memory.database import Database, as_record
from openspade.tokens import JSON

Cycles = Sequence[tuple[int, Mapping[str, float]]]
"""Cycle and its metrics; what was not a finite number is nan."""
Evaluations = Sequence[tuple[int, str, Mapping[str, float]]]
"""Cycle (-1 is before training), suite and scores."""
ORDER = ("cycle", "evaluation", "event")


@dataclass(frozen=True, kw_only=True, slots=True)
class RunStatus:
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


def run_status(database: Database) -> RunStatus:
    """The run at this moment."""
    counts = database.row("SELECT coalesce(max(number), 0) AS designs, max(accepted_number) AS accepted FROM designs")
    assert counts is not None
    ((last, metrics),) = read_cycles(database, last=1) or [(-1, {})]
    return RunStatus(
        last_cycle=last,
        designs=counts["designs"],
        accepted=counts["accepted"] or 0,
        facts=run_facts(database),
        metrics=metrics,
    )


def run_facts(database: Database) -> Mapping[str, JSON]:
    """What the run's process last said of itself: configuration, versions, hashes; empty when it did not."""
    row = database.row("SELECT facts FROM runs LIMIT 1")
    return json.loads(row["facts"]) if row else {}


def cycles_wanted(database: Database) -> int | None:
    """How many cycles the run has in all, as its process last said; None when it did not."""
    config = run_facts(database).get("config")
    run = config.get("run") if isinstance(config, dict) else None
    wanted = run.get("cycles") if isinstance(run, dict) else None
    return wanted if isinstance(wanted, int) else None


def last_cycle(database: Database) -> int:
    """The last committed cycle; -1 before the first."""
    row = database.row("SELECT coalesce(max(cycle), -1) AS cycle FROM cycles")
    return int(row["cycle"]) if row else -1


def metric_names(database: Database) -> tuple[str, ...]:
    """Every metric that some cycle measured."""
    return tuple(row["name"] for row in database.rows("SELECT DISTINCT name FROM metrics ORDER BY name"))


def read_cycles(
    database: Database, names: Sequence[str] | None = None, *, since: int = -1, last: int | None = None
) -> list[tuple[int, Mapping[str, float]]]:
    """Every stored cycle in order, with all of its metrics or those named; only those after `since`, or the `last`."""
    first = since + 1 if last is None else max(since + 1, last_cycle(database) - last + 1)
    cycles = database.rows("SELECT cycle FROM cycles WHERE cycle >= ? ORDER BY cycle", (first,))
    found: dict[int, dict[str, float]] = {row["cycle"]: {} for row in cycles}
    wanted = "" if names is None else f"AND name IN ({', '.join('?' * len(names))})"
    query = f"SELECT cycle, name, value FROM metrics WHERE cycle >= ? {wanted} ORDER BY cycle, name"
    for row in database.rows(query, (first, *(names or ()))):
        if row["cycle"] in found:
            found[row["cycle"]][row["name"]] = _number(row["value"])
    return [*found.items()]


def read_evaluations(database: Database) -> list[tuple[int, str, Mapping[str, float]]]:
    """Every held-out evaluation, in order of cycle and suite."""
    found: dict[tuple[int, str], dict[str, float]] = {}
    for row in database.rows("SELECT cycle, suite, name, value FROM evaluations ORDER BY cycle, suite, name"):
        found.setdefault((row["cycle"], row["suite"]), {})[row["name"]] = _number(row["value"])
    return [(cycle, suite, scores) for (cycle, suite), scores in found.items()]


def read_events(
    database: Database, *, kind: str | None = None, before: int | None = None, since: int | None = None, limit: int = -1
) -> list[Event]:
    """Events, latest first; `before` is the number of the last one already shown, `since` of the last one known."""
    wanted = {"kind = ?": kind, "number < ?": before, "number > ?": since}
    used = {condition: value for condition, value in wanted.items() if value is not None}
    where = " AND ".join(used) or "1"
    query = f"SELECT number, cycle, kind, text FROM events WHERE {where} ORDER BY number DESC LIMIT ?"
    return [as_record(Event, row) for row in database.rows(query, (*used.values(), limit))]


def event_kinds(database: Database) -> tuple[str, ...]:
    """The kinds of events that occurred."""
    return tuple(row["kind"] for row in database.rows("SELECT DISTINCT kind FROM events ORDER BY kind"))


def news(database: Database, since: Mark, limit: int) -> tuple[list[Happening], Mark]:
    """At most `limit` latest happenings since a mark, in the order of their cycles, and the mark to go on from."""
    cycles = read_cycles(database, since=since.cycle, last=limit)
    events = read_events(database, since=since.event, limit=limit)
    evaluations = [each for each in read_evaluations(database) if each[:2] not in since.evaluations]
    found = [
        *(Happening(kind="cycle", cycle=cycle, numbers=metrics) for cycle, metrics in cycles),
        *(Happening(kind="evaluation", cycle=cycle, name=suite, numbers=own) for cycle, suite, own in evaluations),
        *(
            Happening(kind="event", cycle=event.cycle, name=event.kind, text=event.text, numbers={})
            for event in reversed(events)
        ),
    ]
    mark = Mark(
        cycle=cycles[-1][0] if cycles else since.cycle,
        event=events[0].number if events else since.event,
        evaluations=since.evaluations | {each[:2] for each in evaluations},
    )
    ordered = sorted(found, key=lambda happening: (happening.cycle, ORDER.index(happening.kind)))
    return ordered[max(0, len(ordered) - limit) :], mark


def _number(value: float | None) -> float:
    return math.nan if value is None else value
