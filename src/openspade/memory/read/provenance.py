"""Where a run's designs come from, for whoever takes them elsewhere: first cycle, value, and what each gate saw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from openspade.memory.database import Database
from openspade.memory.read.design_list import to_gates
from openspade.types import GateResult

_QUERY = """
SELECT designs.id, designs.cycle, standings.value, verdicts.gates, runs.name
FROM designs LEFT JOIN standings USING (number)
LEFT JOIN verdicts ON verdicts.number = designs.number AND (verdicts.cycle, verdicts.draft_id) =
    (SELECT cycle, draft_id FROM verdicts AS first WHERE first.number = designs.number AND accepted
     ORDER BY cycle, draft_id LIMIT 1)
LEFT JOIN (SELECT name FROM runs LIMIT 1) AS runs
WHERE accepted_number IS NOT NULL
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Provenance:
    """Of one accepted design; `cycle` is -1 where it came from another run, and then no gate of this run saw it."""

    run: str
    cycle: int
    value: float = 0.0
    gates: tuple[GateResult, ...] = ()


def read_provenance(path: Path) -> Mapping[str, Provenance]:
    """Of every accepted design of a run, by id. Raises StorageError."""
    database = Database(path, readonly=True)
    try:
        return {
            row["id"]: Provenance(
                run=row["name"] or path.parent.name,
                cycle=row["cycle"],
                value=row["value"] or 0.0,
                gates=to_gates(row["gates"] or "[]"),
            )
            for row in database.rows(_QUERY)
        }
    finally:
        database.close()
