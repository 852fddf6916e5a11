"""Looking after stored runs: export, merge, prune, verify, and a digest that ignores clocks."""

from __future__ import annotations

import re
import sqlite3
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import msgspec

from openspade.errors import StorageError
from openspade.memory import ledger
from openspade.memory.catalogue import StoredDesign, accepted_designs
from openspade.memory.database import Database
from openspade.memory.history import drafts_path, episodes_path
from openspade.memory.recall import to_design
from openspade.settings.learning import RewardConfig
from openspade.settings.worlds import MemoryConfig

ELSEWHERE = -1
"""The cycle of what another run found out."""

# Measured times and memory differ from run to run; everything else must not.
_MEASURED = re.compile(r"seconds/|.*(_s|_ms|_mb|_per_second)$")
_TABLES = (
    "cycles metrics documents briefs designs sketches bands verdicts playtests standings episodes evaluations".split()
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Pruning:
    """What to keep: designs first or last seen in the latest cycles, and the most valuable of all times."""

    keep_cycles: int
    keep_best: int


def export_designs(path: Path, output: Path) -> int:
    """Write every accepted design with its statistics as a line of JSON, oldest first; returns how many."""
    database = Database(path, readonly=True)
    written = 0
    aside = output.with_name(output.name + ".partial")
    try:
        with aside.open("wb") as file:
            for stored in accepted_designs(database):
                file.write(msgspec.json.encode(stored) + b"\n")
                written += 1
        aside.replace(output)
    except OSError as error:
        raise StorageError(f"{output} cannot be written: {error.strerror}") from error
    finally:
        aside.unlink(missing_ok=True)
        database.close()
    return written


def merge_designs(into: Path, source: Path, memory: MemoryConfig, reward: RewardConfig) -> int:
    """Take over another run's accepted designs and their latest statistics; returns how many were new here.

    They count as found before this run's first cycle, so they age with it.
    """
    giver, taker = Database(source, readonly=True), Database(into)
    taken = 0
    try:
        with taker.transaction() as db:
            ledger.rerank(db, memory.half_life_cycles)
            variance = ledger.regret_variance(giver.connection)
            for stored in accepted_designs(giver):
                if db.execute("SELECT 1 FROM designs WHERE id = ?", (stored.design.id,)).fetchone() is None:
                    _take_over(db, giver, stored)
                    taken += 1
                    if stored.stats is not None:
                        ledger.set_standing(db, stored.stats, ELSEWHERE, variance, (memory, reward))
    finally:
        giver.close()
        taker.close()
    return taken


def prune_designs(path: Path, pruning: Pruning) -> int:
    """Delete designs that `pruning` does not keep, with all that refers to them; returns how many.

    Drafts, verdicts and episode files stay. The file shrinks.
    """
    database = Database(path)
    try:
        with database.transaction() as db:
            db.execute("CREATE TEMP TABLE gone (number INTEGER PRIMARY KEY)")
            db.execute(
                "INSERT INTO gone SELECT number FROM designs LEFT JOIN standings USING (number) WHERE "
                "max(designs.cycle, coalesce(standings.cycle, -1)) <= (SELECT max(cycle) FROM cycles) - ? "
                "AND number NOT IN (SELECT number FROM standings WHERE value_rank IS NOT NULL "
                "ORDER BY value_rank DESC LIMIT ?)",
                (pruning.keep_cycles, pruning.keep_best),
            )
            db.execute("UPDATE verdicts SET number = NULL WHERE number IN (SELECT number FROM gone)")
            for table in ("bands", "sketches", "standings", "playtests", "episodes", "designs"):
                db.execute(f"DELETE FROM {table} WHERE number IN (SELECT number FROM gone)")
            gone = int(db.execute("SELECT count(*) FROM gone").fetchone()[0])
            db.execute("DROP TABLE gone")
        with database.errors():
            database.connection.execute("VACUUM")
    finally:
        database.close()
    return gone


def verify_run(path: Path) -> tuple[str, ...]:
    """What is wrong with a stored run, in sentences; empty when nothing is."""
    database = Database(path, readonly=True)
    try:
        problems = [f"SQLite: {row[0]}" for row in database.rows("PRAGMA integrity_check") if row[0] != "ok"]
        problems += [
            f"{row[0]} row {row[1]} refers to no {row[2]}" for row in database.rows("PRAGMA foreign_key_check")
        ]
        for row in database.connection.execute("SELECT * FROM designs ORDER BY number"):
            if ledger.checksum(to_design(row)) != row["checksum"]:
                problems.append(f"design {row['id']}: its text does not match its checksum")
        for row in database.rows("SELECT cycle FROM cycles ORDER BY cycle"):
            for file in (episodes_path(path.parent, row["cycle"]), drafts_path(path.parent, row["cycle"])):
                if not file.is_file():
                    problems.append(f"cycle {row['cycle']}: {file} is missing")
    finally:
        database.close()
    return tuple(problems)


def content_digest(path: Path) -> str:
    """Equal for runs that did the same, whenever and however fast: all rows except measured times."""
    database = Database(path, readonly=True)
    digest = sha256()
    try:
        for table in _TABLES:
            columns = [row["name"] for row in database.rows(f"PRAGMA table_info({table})")]
            kept = ", ".join(name for name in columns if not name.endswith("_ms"))
            for row in database.connection.execute(f"SELECT {kept} FROM {table} ORDER BY {kept}"):
                if not (table == "metrics" and _MEASURED.match(row["name"])):
                    digest.update(repr((table, *row)).encode())
    finally:
        database.close()
    return digest.hexdigest()


def _take_over(db: sqlite3.Connection, giver: Database, stored: StoredDesign) -> None:
    origin = ledger.Origin(skill=stored.asked_skill, cycle=ELSEWHERE, document_id=stored.document_id)
    if stored.document_id is not None:
        for row in giver.rows("SELECT * FROM documents WHERE id = ?", (stored.document_id,)):
            db.execute("INSERT OR IGNORE INTO documents VALUES (?, ?, ?, ?, ?, ?, ?)", tuple(row))
    number = ledger.add_design(db, stored.design, origin, accepted=True)
    query = (
        "SELECT * FROM playtests WHERE number = (SELECT number FROM designs WHERE id = ?) ORDER BY cycle DESC LIMIT 1"
    )
    for row in giver.rows(query, (stored.design.id,)):
        values = (number, ELSEWHERE, *tuple(row)[2:])
        db.execute(f"INSERT INTO playtests VALUES ({', '.join('?' * len(values))})", values)
