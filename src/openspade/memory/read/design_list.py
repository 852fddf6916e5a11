"""Designs as a reader looks for them: by id, skill, cycle, verdict, solve rate."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from openspade.errors import StorageError
from openspade.memory.database import Database
from openspade.memory.search.recall import to_design, to_stats
from openspade.types import Design, DesignStats, GateResult, Kind, Problem

_COLUMNS = (
    "designs.id, source, hint, designs.skill, kind, title, max_turns, designs.cycle AS first_cycle, asked_skill, "
    "document_id, accepted_number, verdicts.problems, playtests.*"
)
_TABLES = (
    "designs LEFT JOIN playtests ON playtests.number = designs.number AND playtests.cycle = "
    "(SELECT max(cycle) FROM playtests AS newer WHERE newer.number = designs.number) "
    "LEFT JOIN verdicts ON verdicts.number = designs.number AND (verdicts.cycle, verdicts.draft_id) = "
    "(SELECT cycle, draft_id FROM verdicts AS first WHERE first.number = designs.number "
    "ORDER BY accepted DESC, cycle, draft_id LIMIT 1)"
)
_ORDERS = {
    "newest": "designs.number DESC",
    "oldest": "designs.number",
    "regret": "playtests.regret DESC, designs.number",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredDesign:
    """A design with what is known of it: its first cycle, its verdict and its latest statistics.

    `problem` is None when accepted, `stats` None when never played; `cycle` is -1 when it came from elsewhere.
    """

    design: Design
    cycle: int
    accepted: bool
    asked_skill: str
    document_id: str | None
    problem: Problem | None
    stats: DesignStats | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted:
    """Which designs; None leaves a condition out. Solve rates are those of the latest playtest."""

    skill: str | None = None
    kind: Kind | None = None
    accepted: bool | None = None
    cycles: tuple[int, int] | None = None
    solve_rates: tuple[float, float] | None = None
    order: Literal["newest", "oldest", "regret"] = "newest"
    limit: int = 100
    offset: int = 0


def find_designs(database: Database, wanted: Wanted) -> tuple[StoredDesign, ...]:
    """All designs that meet every condition."""
    return tuple(iterate_designs(database, wanted))


def iterate_designs(database: Database, wanted: Wanted) -> Iterator[StoredDesign]:
    """Designs that meet every condition, read as they are asked for; a limit of -1 is none."""
    conditions: dict[str, tuple[object, ...]] = {}
    if wanted.skill is not None:
        conditions["asked_skill = ?"] = (wanted.skill,)
    if wanted.kind is not None:
        conditions["kind = ?"] = (wanted.kind,)
    if wanted.accepted is not None:
        conditions["(accepted_number IS NOT NULL) = ?"] = (wanted.accepted,)
    if wanted.cycles is not None:
        conditions["designs.cycle BETWEEN ? AND ?"] = wanted.cycles
    if wanted.solve_rates is not None:
        conditions["playtests.solve_rate BETWEEN ? AND ?"] = wanted.solve_rates
    where = " AND ".join(conditions) or "1"
    values = [value for group in conditions.values() for value in group]
    query = f"SELECT {_COLUMNS} FROM {_TABLES} WHERE {where} ORDER BY {_ORDERS[wanted.order]} LIMIT ? OFFSET ?"
    with database.errors():
        yield from map(_stored, database.connection.execute(query, (*values, wanted.limit, wanted.offset)))


def find_design(database: Database, prefix: str) -> StoredDesign:
    """The one design whose id begins like this. Raises StorageError when there is none, or more than one."""
    query = f"SELECT {_COLUMNS} FROM {_TABLES} WHERE designs.id >= ? AND designs.id < ? ORDER BY designs.id LIMIT 3"
    rows = database.rows(query, (prefix, prefix + "\U0010ffff"))
    if not rows:
        raise StorageError(f"no design of {database.path} has an id that begins with {prefix!r}")
    if len(rows) > 1 and rows[0]["id"] != prefix:
        ids = ", ".join(row["id"] for row in rows)
        raise StorageError(f"{prefix!r} begins the ids of several designs ({ids}, ...): give more of it")
    return _stored(rows[0])


def _stored(row: sqlite3.Row) -> StoredDesign:
    accepted = row["accepted_number"] is not None
    problems = to_problems(row["problems"]) if row["problems"] and not accepted else ()
    return StoredDesign(
        design=to_design(row),
        cycle=row["first_cycle"],
        accepted=accepted,
        asked_skill=row["asked_skill"],
        document_id=row["document_id"],
        problem=problems[0] if problems else None,
        stats=to_stats(row, row["id"]) if row["solve_rate"] is not None else None,
    )


def to_problems(stored: str) -> tuple[Problem, ...]:
    """What gates complained of, from a column."""
    return tuple(Problem(gate=gate, message=said, evidence=seen) for gate, said, seen in json.loads(stored))


def to_gates(stored: str, costs_ms: str = "[]") -> tuple[GateResult, ...]:
    """What each gate said, from two columns; runs written early have no costs."""
    costs = json.loads(costs_ms)
    return tuple(
        GateResult(gate=gate, passed=passed, note=note, cpu_ms=costs[place] if place < len(costs) else 0.0)
        for place, (gate, passed, note) in enumerate(json.loads(stored))
    )
