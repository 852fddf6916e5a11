"""Likeness by meaning, an option: vectors of what designs say, kept beside the database and compared exactly.

MinHash sees that two programs share their syntax; a model of language also sees one mechanic told in other words.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from openspade.memory.search.recall import to_design
from openspade.types import Design

FILE = "embeddings.db"


class Embedder(Protocol):
    """Texts as vectors. Equal texts give equal vectors."""

    name: str

    def embed(self, text: str) -> np.ndarray:
        """A vector of length 1."""
        ...


class Meanings(Protocol):
    """What the memory asks when it has accepted designs."""

    def lower_novelty(self, db: sqlite3.Connection, accepted: Sequence[Design], window: int) -> None:
        """Make freshly accepted designs less novel by their likeness to those accepted before them."""
        ...

    def close(self) -> None: ...


class Unread:
    """Meaning plays no part."""

    def lower_novelty(self, db: sqlite3.Connection, accepted: Sequence[Design], window: int) -> None: ...

    def close(self) -> None: ...


class EmbeddingIndex:
    """Vectors by design id, each computed once. All of it can be computed again: the file may be deleted."""

    def __init__(self, directory: Path, embedder: Embedder) -> None:
        self._embedder = embedder
        self._cache = sqlite3.connect(directory / FILE, isolation_level=None)
        self._cache.execute(
            "CREATE TABLE IF NOT EXISTS vectors (embedder TEXT, design_id TEXT, vector BLOB NOT NULL, "
            "PRIMARY KEY (embedder, design_id)) WITHOUT ROWID"
        )

    def close(self) -> None:
        self._cache.close()

    def vector(self, design: Design) -> np.ndarray:
        """The design's title and program as one unit vector."""
        key = (self._embedder.name, design.id)
        row = self._cache.execute("SELECT vector FROM vectors WHERE embedder = ? AND design_id = ?", key).fetchone()
        if row is not None:
            return np.frombuffer(row[0], dtype="<f4")
        vector = self._embedder.embed(f"{design.title}\n{design.source}").astype("<f4")
        self._cache.execute("INSERT INTO vectors VALUES (?, ?, ?)", (*key, vector.tobytes()))
        return vector

    def lower_novelty(self, db: sqlite3.Connection, accepted: Sequence[Design], window: int) -> None:
        latest = "SELECT * FROM designs WHERE accepted_number IS NOT NULL ORDER BY accepted_number DESC LIMIT ?"
        rows = db.execute(latest, (window + len(accepted),)).fetchall()[::-1]
        vectors = np.stack([self.vector(to_design(row)) for row in rows]) if accepted else np.empty((0, 0))
        fresh = {design.id for design in accepted}
        for place, row in enumerate(rows):
            if row["id"] in fresh and place:
                novelty = 1.0 - float(np.max(vectors[max(0, place - window) : place] @ vectors[place]))
                lower = "UPDATE designs SET novelty = min(novelty, max(0.0, ?)) WHERE number = ?"
                db.execute(lower, (round(novelty, 6), row["number"]))
