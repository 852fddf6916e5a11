"""A run's database as one digest that ignores clocks."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

from openspade.memory.database import Database

# Measured times and memory differ from run to run; everything else must not.
_MEASURED = re.compile(r"seconds/|.*(/seconds|_s|_ms|_mb|_per_second)$")
_TABLES = (
    "cycles metrics documents briefs designs sketches bands verdicts playtests standings episodes evaluations".split()
)


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
