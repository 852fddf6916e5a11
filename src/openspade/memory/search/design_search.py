"""Designs as a gallery shows them: filtered, ordered, and paged by key, so that a page costs the same wherever it is.

A run's tables are made for its writer: to filter by what a playtest showed would read every program. A `DesignSearch`
keeps the few columns that filters ask for in memory and reads only what later cycles touched; the file gains nothing.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from openspade.credit.flags import stored_flags
from openspade.memory.database import Database, as_record

MAX_CHOICES = 1000

Order = Literal["newest", "oldest", "regret", "novelty", "hardest", "easiest"]
_KEYS: Mapping[Order, tuple[str, str]] = {
    "newest": ("number", "DESC"),
    "oldest": ("number", "ASC"),
    "regret": ("regret", "DESC"),
    "novelty": ("novelty", "DESC"),
    "hardest": ("solve_rate", "ASC"),
    "easiest": ("solve_rate", "DESC"),
}
# A replay without hints keeps the regret that was measured before.
_HINTED = "FROM playtests AS hinted WHERE hinted.number = designs.number AND hinted_played ORDER BY cycle DESC LIMIT 1"
# `standings.cycle` is the design's latest playtest.
_ENTRIES = (
    "SELECT designs.number, designs.id, designs.title, designs.asked_skill AS skill, designs.kind, designs.cycle, "
    "designs.accepted_number IS NOT NULL AS accepted, "
    "(SELECT gate FROM verdicts WHERE verdicts.number = designs.number ORDER BY accepted DESC, cycle LIMIT 1) AS gate, "
    "designs.novelty, designs.document_id, documents.source, standings.cycle AS played_cycle, playtests.solve_rate, "
    f"playtests.fault, (SELECT hinted.hinted_solve_rate {_HINTED}) AS hinted_solve_rate, "
    f"(SELECT hinted.regret {_HINTED}) AS regret, (SELECT hinted.regret_se {_HINTED}) AS regret_se, "
    "playtests.pairs, standings.failing "
    "FROM designs LEFT JOIN standings ON standings.number = designs.number "
    "LEFT JOIN playtests ON playtests.number = standings.number AND playtests.cycle = standings.cycle "
    "LEFT JOIN documents ON documents.id = designs.document_id"
)
_TOUCHED = (
    "SELECT number FROM verdicts WHERE cycle > ?1 UNION SELECT number FROM playtests WHERE cycle > ?1 "
    "UNION SELECT number FROM designs WHERE number > ?2"
)
_KEYED = ("regret", "novelty", "solve_rate")
_TABLE = (
    "CREATE TABLE entries (number INTEGER PRIMARY KEY, id, title, skill, kind, cycle, accepted, gate, novelty, "
    "document_id, source, played_cycle, solve_rate, fault, hinted_solve_rate, regret, regret_se, pairs, failing)"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Search:
    """Which designs, in which order; None leaves a condition out. `gate` is that of a refusal.

    Solve rates are those of the latest playtest, the regret is the last one measured. `after` is the `key` of the last
    entry already shown.
    """

    skill: str | None = None
    kind: str | None = None
    source: str | None = None
    document_id: str | None = None
    accepted: bool | None = None
    gate: str | None = None
    solve_rates: tuple[float, float] | None = None
    least_regret: float | None = None
    least_novelty: float | None = None
    flag: str | None = None
    cycle: int | None = None
    words: str | None = None
    order: Order = "newest"
    after: tuple[float, int] | None = None
    limit: int = 24


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """A design in a list. What was never measured is None; `gate` refused it, "" when accepted."""

    number: int
    id: str
    title: str
    skill: str
    kind: str
    cycle: int
    accepted: bool
    gate: str
    novelty: float | None
    document_id: str | None
    played_cycle: int | None
    solve_rate: float | None
    hinted_solve_rate: float | None
    regret: float | None
    regret_se: float | None
    fault: str
    flags: tuple[str, ...]
    key: tuple[float, int]


@dataclass(frozen=True, kw_only=True, slots=True)
class Choices:
    """What a filter can be set to."""

    skills: tuple[str, ...]
    sources: tuple[str, ...]
    gates: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class DesignsFrom:
    """What was written from one document; means over its designs, None where none was played."""

    accepted: int
    refused: int
    solve_rate: float | None
    regret: float | None


class DesignSearch:
    """One run's designs for any number of readers in this process."""

    def __init__(self) -> None:
        self._table = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._table.row_factory = sqlite3.Row
        self._table.create_function(
            "has_flag", 7, lambda flag, *known: flag in stored_flags(*known), deterministic=True
        )
        self._table.execute(_TABLE)
        for key in _KEYED:
            self._table.execute(f"CREATE INDEX by_{key} ON entries ({key}, number) WHERE {key} IS NOT NULL")
        self._lock = threading.Lock()
        self._cycle = -2
        self._number = 0

    def close(self) -> None:
        """Give the memory back."""
        with self._lock:
            self._table.close()

    def refresh(self, database: Database) -> None:
        """Read what changed since the last time: everything at first, then what later cycles touched."""
        with self._lock, database.errors():
            row = database.row("SELECT coalesce(max(cycle), -1) AS cycle FROM cycles")
            cycle = int(row["cycle"]) if row else -1
            if cycle == self._cycle:
                return
            condition, values = ("", ()) if self._number == 0 else (_TOUCHED, (self._cycle, self._number))
            query = _ENTRIES + (f" WHERE designs.number IN ({condition})" if condition else "")
            found = database.connection.execute(query, values)
            self._table.execute("BEGIN")
            self._table.executemany(f"INSERT OR REPLACE INTO entries VALUES ({', '.join('?' * 19)})", found)
            self._table.execute("COMMIT")
            self._number = self._table.execute("SELECT coalesce(max(number), 0) FROM entries").fetchone()[0]
            self._cycle = cycle

    def find(self, database: Database, search: Search) -> tuple[Entry, ...]:
        """One page."""
        return tuple(_entry(row) for row in self._rows_for(database, search)(*_page(search)))

    def count(self, database: Database, search: Search) -> int:
        """How many designs match in all."""
        if _plain(search):
            condition = "asked_skill = ?1" if search.skill else "?1 IS NULL"
            rows = database.rows(f"SELECT count(*) AS n FROM designs WHERE {condition}", (search.skill,))
        else:
            self.refresh(database)
            where, values = _conditions(search)
            rows = self._rows(f"SELECT count(*) AS n FROM entries WHERE {where}", values)
        return int(rows[0]["n"])

    def by_document(self, database: Database) -> Mapping[str, DesignsFrom]:
        """What was written from each document."""
        self.refresh(database)
        query = (
            "SELECT document_id, sum(accepted) AS accepted, sum(NOT accepted) AS refused, avg(solve_rate) AS "
            "solve_rate, avg(regret) AS regret FROM entries WHERE document_id IS NOT NULL GROUP BY document_id"
        )
        return {row["document_id"]: as_record(DesignsFrom, row) for row in self._rows(query, ())}

    def entry(self, database: Database, number: int) -> Entry | None:
        """One design as it stands now."""
        self.refresh(database)
        rows = self._rows("SELECT *, number AS sort_key FROM entries WHERE number = ?", (number,))
        return _entry(rows[0]) if rows else None

    def _rows_for(self, database: Database, search: Search) -> Callable[[str, Sequence[object]], list[sqlite3.Row]]:
        """Where a search is answered: in the run's own order by its own tables, otherwise by the copy in memory."""
        if _plain(search):
            return lambda query, values: database.rows(f"WITH entries AS ({_ENTRIES}) {query}", values)
        self.refresh(database)
        return self._rows

    def _rows(self, query: str, values: Sequence[object]) -> list[sqlite3.Row]:
        with self._lock:
            return self._table.execute(query, values).fetchall()


def choices(database: Database) -> Choices:
    """The skills, document sources and refusing gates that occur."""
    # A recursive look-up hops through the index from one skill to the next instead of reading every design.
    skills = (
        "WITH RECURSIVE found (skill) AS (SELECT min(asked_skill) FROM designs UNION ALL "
        "SELECT (SELECT min(asked_skill) FROM designs WHERE asked_skill > found.skill) FROM found "
        "WHERE found.skill IS NOT NULL) SELECT skill FROM found WHERE skill IS NOT NULL LIMIT ?"
    )
    sources = "SELECT DISTINCT source FROM documents ORDER BY source LIMIT ?"
    gates = "SELECT DISTINCT substr(name, 9) FROM metrics WHERE name LIKE 'refused/%' ORDER BY name LIMIT ?"
    found = [tuple(str(row[0]) for row in database.rows(query, (MAX_CHOICES,))) for query in (skills, sources, gates)]
    return Choices(skills=found[0], sources=found[1], gates=found[2])


def neighbours_in_order(database: Database, number: int) -> tuple[str | None, str | None]:
    """Ids of the designs found just before and just after one."""
    before = database.row("SELECT id FROM designs WHERE number < ? ORDER BY number DESC LIMIT 1", (number,))
    after = database.row("SELECT id FROM designs WHERE number > ? ORDER BY number LIMIT 1", (number,))
    return (before["id"] if before else None, after["id"] if after else None)


def _plain(search: Search) -> bool:
    """Whether an index of the run's own tables answers it."""
    return (
        replace(search, skill=None, after=None, limit=24, order="newest") == Search()
        and _KEYS[search.order][0] == "number"
    )


def _page(search: Search) -> tuple[str, tuple[object, ...]]:
    key, direction = _KEYS[search.order]
    where, values = _conditions(search)
    if search.order not in ("newest", "oldest"):
        where += f" AND {key} IS NOT NULL"
    if search.after is not None:
        comparison = "<" if direction == "DESC" else ">"
        where += f" AND number {comparison} ?" if key == "number" else f" AND ({key}, number) {comparison} (?, ?)"
        values += search.after[1:] if key == "number" else search.after
    order = (
        f"ORDER BY {key} {direction}, number {direction} LIMIT ?"
        if key != "number"
        else f"ORDER BY number {direction} LIMIT ?"
    )
    return f"SELECT *, {key} AS sort_key FROM entries WHERE {where} {order}", (*values, search.limit)


def _conditions(search: Search) -> tuple[str, tuple[object, ...]]:
    low, high = search.solve_rates or (None, None)
    wanted: Mapping[str, object] = {
        "skill = ?": search.skill,
        "kind = ?": search.kind,
        "source = ?": search.source,
        "document_id = ?": search.document_id,
        "accepted = ?": search.accepted,
        "gate = ?": search.gate,
        "solve_rate >= ?": low,
        "solve_rate <= ?": high,
        "regret >= ?": search.least_regret,
        "novelty >= ?": search.least_novelty,
        "cycle = ?": search.cycle,
        f"has_flag(?, {', '.join(_FLAG_COLUMNS)})": search.flag,
        "instr(lower(title), lower(?))": search.words,
    }
    used = {condition: value for condition, value in wanted.items() if value is not None}
    return " AND ".join(used) or "1", tuple(used.values())


def _entry(row: sqlite3.Row) -> Entry:
    gate, flags = "" if row["accepted"] else row["gate"] or "", stored_flags(*(row[name] for name in _FLAG_COLUMNS))
    key = row["sort_key"], row["number"]
    return as_record(Entry, row, gate=gate, fault=row["fault"] or "", flags=flags, key=key)


_FLAG_COLUMNS = ("pairs", "solve_rate", "hinted_solve_rate", "regret", "regret_se", "failing")
