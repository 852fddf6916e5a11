"""How a design looks to its players, kept when it is first played, and what that says of its novelty."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from openspade.memory.search.similarity import OBSERVED, Sketch, sketch_observations

NEIGHBOURS = 64
"""Designs of a shared band that are compared, latest first: bounds the cost where very many are alike."""


def observe(db: sqlite3.Connection, number: int, observations: Sequence[str]) -> None:
    """Keep the sketch of a design's first observations; one that reads like an earlier one is less novel."""
    known = db.execute("SELECT observations FROM sketches WHERE number = ?", (number,)).fetchone()
    if known is None or known["observations"] is not None:
        return
    sketch = sketch_observations(observations)
    keys = sketch.bands(OBSERVED)
    latest = "SELECT number FROM bands WHERE band = ? ORDER BY number DESC LIMIT ?"
    near = {row["number"] for key in keys for row in db.execute(latest, (key, NEIGHBOURS))} - {number}
    alike = max((_similarity(db, sketch, other) for other in near), default=0.0)
    db.execute("UPDATE sketches SET observations = ? WHERE number = ?", (sketch.packed, number))
    db.executemany("INSERT OR IGNORE INTO bands VALUES (?, ?)", [(key, number) for key in keys])
    db.execute("UPDATE designs SET novelty = min(novelty, ?) WHERE number = ?", (1.0 - alike, number))


def _similarity(db: sqlite3.Connection, sketch: Sketch, other: int) -> float:
    row = db.execute("SELECT observations FROM sketches WHERE number = ?", (other,)).fetchone()
    return sketch.similarity(Sketch(packed=row["observations"])) if row and row["observations"] else 0.0
