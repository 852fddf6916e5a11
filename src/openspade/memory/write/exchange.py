"""Designs leave a run and come into another: with their statistics and their document, read one at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from openspade.memory.database import Database
from openspade.memory.read.design_history import find_document
from openspade.memory.read.design_list import StoredDesign, Wanted, iterate_designs
from openspade.memory.search.recall import to_stats
from openspade.memory.search.similarity import fingerprint
from openspade.memory.write import cycle_rows as ledger
from openspade.settings.learning import RewardConfig
from openspade.settings.worlds import MemoryConfig
from openspade.types import Design, DesignStats, Document

ELSEWHERE = -1
"""The cycle of what another run found out."""
EVERYTHING = Wanted(accepted=True, order="oldest", limit=-1)


@dataclass(frozen=True, kw_only=True, slots=True)
class Exported:
    """A design on its way: what was asked for, from which document, and what plays showed (None: never played).

    Solve rates are the latest, the regret is the one last measured.
    """

    design: Design
    asked_skill: str
    document: Document | None = None
    stats: DesignStats | None = None
    unaided_plays: int = 0
    policy_version: int = 0


def exported_designs(path: Path, wanted: Wanted = EVERYTHING) -> Iterator[Exported]:
    """A run's designs, read as they are asked for. Raises StorageError."""
    database = Database(path, readonly=True)
    try:
        for stored in iterate_designs(database, wanted):
            yield _exported(database, stored)
    finally:
        database.close()


def merge_designs(into: Path, source: Path, memory: MemoryConfig, reward: RewardConfig) -> int:
    """Take over another run's accepted designs and what is known of them; returns how many were new here."""
    return take_over_designs(into, exported_designs(source), memory, reward)


def take_over_designs(
    into: Path,
    designs: Iterable[Exported],
    memory: MemoryConfig,
    reward: RewardConfig,
    *,
    progress: Callable[[int], None] = lambda _: None,
) -> int:
    """Take over designs that are new here, all or none; returns how many. `progress` is told how many were looked at.

    They count as found before this run's first cycle: they age with it, and none of them is among its latest. One that
    was never played stands in for replay as if it were solved every other time; what is true shows when it is.
    """
    database = Database(into)
    taken: list[int] = []
    try:
        with database.transaction() as db:
            ledger.rerank(db, memory.half_life_cycles)
            for number, exported in enumerate(designs, start=1):
                if not _is_known(db, exported.design):
                    taken.append(_take_over(db, exported))
                progress(number)
            _number_before_all_others(db, taken)
            variance = ledger.regret_variance(db)
            for row in taken:
                ledger.set_standing(db, _stats(db, row), ELSEWHERE, variance, (memory, reward))
    finally:
        database.close()
    return len(taken)


def _exported(database: Database, stored: StoredDesign) -> Exported:
    query = (
        "SELECT playtests.* FROM playtests JOIN designs USING (number) WHERE id = ? {} ORDER BY playtests.cycle DESC"
    )
    latest = database.row(query.format(""), (stored.design.id,))
    stats = stored.stats
    if stats is not None and not stats.hinted_played:
        measured = database.row(query.format("AND hinted_played"), (stored.design.id,))
        stats = _with_regret(stats, to_stats(measured, stored.design.id)) if measured else stats
    return Exported(
        design=stored.design,
        asked_skill=stored.asked_skill,
        document=find_document(database, stored.document_id),
        stats=stats,
        unaided_plays=latest["unaided_plays"] if latest else 0,
        policy_version=latest["policy_version"] if latest else 0,
    )


def _with_regret(latest: DesignStats, measured: DesignStats) -> DesignStats:
    return replace(
        latest,
        hinted_played=True,
        regret=measured.regret,
        regret_se=measured.regret_se,
        hinted_solve_rate=measured.hinted_solve_rate,
        hinted_return=measured.hinted_return,
    )


def _is_known(db: sqlite3.Connection, design: Design) -> bool:
    same = "SELECT 1 FROM designs WHERE id = ? OR (fingerprint = ? AND accepted_number IS NOT NULL)"
    return db.execute(same, (design.id, fingerprint(design.source))).fetchone() is not None


def _take_over(db: sqlite3.Connection, exported: Exported) -> int:
    document = exported.document
    if document is not None:
        ledger.add_document(db, document)
    origin = ledger.Origin(
        skill=exported.asked_skill, cycle=ELSEWHERE, document_id=document.id if document is not None else None
    )
    number = ledger.add_design(db, exported.design, origin, accepted=True)
    if exported.stats is not None:
        counts = exported.policy_version, exported.unaided_plays
        row = ledger.playtest_row(number, ELSEWHERE, counts, exported.stats, replayed=False)
        db.execute(f"INSERT INTO playtests VALUES ({', '.join('?' * len(row))})", row)
    return number


def _number_before_all_others(db: sqlite3.Connection, taken: Sequence[int]) -> None:
    """Below all that was accepted here, in the order of their coming: the latest stay the run's own."""
    lowest = int(db.execute("SELECT min(0, coalesce(min(accepted_number), 0)) FROM designs").fetchone()[0])
    renumber = "UPDATE designs SET accepted_number = ? WHERE number = ?"
    db.executemany(renumber, [(lowest - len(taken) + place, row) for place, row in enumerate(taken)])


def _stats(db: sqlite3.Connection, number: int) -> DesignStats:
    design_id = db.execute("SELECT id FROM designs WHERE number = ?", (number,)).fetchone()["id"]
    row = db.execute("SELECT * FROM playtests WHERE number = ? AND cycle = ?", (number, ELSEWHERE)).fetchone()
    if row is not None:
        return to_stats(row, design_id)
    return DesignStats(
        design_id=design_id,
        pairs=0,
        solve_rate=0.5,
        hinted_solve_rate=0.5,
        unaided_return=0.5,
        hinted_return=0.5,
        regret=0.0,
        regret_se=0.0,
        learnable=0.0,
    )
