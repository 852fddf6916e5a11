"""Looking after stored runs: prune and verify."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from openspade.errors import StorageError
from openspade.memory.database import Database
from openspade.memory.search.recall import to_design
from openspade.memory.write import cycle_rows as ledger
from openspade.memory.write.history import count_lines, drafts_path, episodes_path

_REFERRING = ("bands", "sketches", "standings", "playtests", "episodes", "designs")


@dataclass(frozen=True, kw_only=True, slots=True)
class Pruning:
    """What to keep: designs first or last seen in the latest cycles, and the most valuable of all times."""

    keep_cycles: int
    keep_best: int


def prunable_designs(path: Path, pruning: Pruning) -> int:
    """How many designs `prune_designs` would delete."""
    database = Database(path, readonly=True)
    try:
        return len(_gone(database, pruning))
    finally:
        database.close()


def prune_designs(path: Path, pruning: Pruning) -> int:
    """Delete designs that `pruning` does not keep, with all that refers to them; returns how many.

    Verdicts stay, and so do the files of drafts and episodes, where every word still stands. The file shrinks.
    """
    database = Database(path)
    try:
        gone = _gone(database, pruning)
        with database.transaction() as db:
            db.execute("CREATE TEMP TABLE gone (number INTEGER PRIMARY KEY)")
            db.executemany("INSERT INTO gone VALUES (?)", ((number,) for number in gone))
            db.execute("UPDATE verdicts SET number = NULL WHERE number IN (SELECT number FROM gone)")
            for table in _REFERRING:
                db.execute(f"DELETE FROM {table} WHERE number IN (SELECT number FROM gone)")
            db.execute("DROP TABLE gone")
        with database.errors():
            database.connection.execute("VACUUM")
    finally:
        database.close()
    return len(gone)


def verify_run(path: Path, progress: Callable[[str], None] = lambda _: None) -> tuple[str, ...]:
    """What is wrong with a stored run, in sentences; empty when nothing is. Every file is read to its end."""
    database = Database(path, readonly=True)
    try:
        progress("the database's pages")
        problems = [f"SQLite: {row[0]}" for row in database.rows("PRAGMA integrity_check") if row[0] != "ok"]
        references = database.rows("PRAGMA foreign_key_check")
        problems += [f"{row[0]} row {row[1]} refers to no {row[2]}" for row in references]
        problems += _changed_designs(database, progress)
        problems += _broken_files(database, progress)
        problems += _missing_checkpoint(database)
    finally:
        database.close()
    return tuple(problems)


def _gone(database: Database, pruning: Pruning) -> list[int]:
    query = (
        "SELECT number FROM designs LEFT JOIN standings USING (number) WHERE "
        "max(designs.cycle, coalesce(standings.cycle, -1)) <= (SELECT max(cycle) FROM cycles) - ? "
        "AND number NOT IN (SELECT number FROM standings WHERE value_rank IS NOT NULL "
        "ORDER BY value_rank DESC LIMIT ?)"
    )
    return [row["number"] for row in database.rows(query, (pruning.keep_cycles, pruning.keep_best))]


def _changed_designs(database: Database, progress: Callable[[str], None]) -> Iterator[str]:
    row: sqlite3.Row
    with database.errors():
        for place, row in enumerate(database.connection.execute("SELECT * FROM designs ORDER BY number"), start=1):
            progress(f"{place} designs")
            if ledger.checksum(to_design(row)) != row["checksum"]:
                yield f"design {row['id']}: its text does not match its checksum"


def _broken_files(database: Database, progress: Callable[[str], None]) -> Iterator[str]:
    folder = database.path.parent
    for row in database.rows("SELECT cycle FROM cycles ORDER BY cycle"):
        cycle = int(row["cycle"])
        progress(f"files of cycle {cycle}")
        for path, table in ((episodes_path(folder, cycle), "episodes"), (drafts_path(folder, cycle), "verdicts")):
            try:
                found = count_lines(path)
            except StorageError as error:
                yield f"cycle {cycle}: {error}"
                continue
            (indexed,) = database.rows(f"SELECT count(*) AS number FROM {table} WHERE cycle = ?", (cycle,))
            # Pruning takes episodes out of the index, never out of the file.
            if found < indexed["number"]:
                yield f"cycle {cycle}: {path} holds {found} lines of {indexed['number']}: restore a copy"


def _missing_checkpoint(database: Database) -> Iterator[str]:
    row = database.row("SELECT checkpoint FROM cycles ORDER BY cycle DESC LIMIT 1")
    if row is not None and row["checkpoint"]:
        folder = database.path.parent / "checkpoints" / row["checkpoint"]
        if not folder.is_dir() or not any(folder.iterdir()):
            yield f"the last cycle's checkpoint {folder} is missing: the run cannot go on from it"
