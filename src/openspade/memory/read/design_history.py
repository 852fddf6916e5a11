"""All that is known of one design: who asked for it, what the gates said, how it was played, and what is like it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from openspade.errors import StorageError
from openspade.memory.database import Database, as_record
from openspade.memory.read.design_list import StoredDesign, find_design, to_gates, to_problems
from openspade.memory.search.recall import to_stats
from openspade.memory.search.similarity import PERMUTATIONS, Sketch, sketch_program
from openspade.types import DesignStats, Document, GateResult, Problem

COMPARED = 3000
"""The latest designs that likeness is measured to, beside all that share a band of the sketch."""
MAX_PLAYS = 2000


@dataclass(frozen=True, kw_only=True, slots=True)
class Judgement:
    """One draft of the design: the brief it answered, and what each gate said of it."""

    cycle: int
    draft_id: str
    accepted: bool
    problems: tuple[Problem, ...]
    gates: tuple[GateResult, ...]
    reward: float | None
    skill: str
    brief_seed: int | None
    exemplars: tuple[str, ...]
    negatives: tuple[tuple[str, str], ...]
    avoid: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Measurement:
    """One playtest: when, by which policy, and what it showed."""

    cycle: int
    policy_version: int
    replayed: bool
    unaided_plays: int
    stats: DesignStats


@dataclass(frozen=True, kw_only=True, slots=True)
class Play:
    """An episode in the index; its words are line `line` of its cycle's file."""

    cycle: int
    line: int
    design_id: str
    seed: int
    play: int
    hinted: bool
    outcome: str
    return_: float
    cause: str
    turns: int
    written_tokens: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Reward:
    """What a draft earned."""

    draft_id: str
    brief_id: str
    skill: str
    value: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Neighbour:
    """A design and how alike it is, from 0 to 1."""

    id: str
    title: str
    cycle: int
    similarity: float


@dataclass(frozen=True, kw_only=True, slots=True)
class DesignHistory:
    """A design with its whole story, oldest first. `number` orders designs by first sight."""

    number: int
    stored: StoredDesign
    novelty: float | None
    document: Document | None
    judgements: tuple[Judgement, ...]
    history: tuple[Measurement, ...]
    plays: tuple[Play, ...]
    neighbours: tuple[Neighbour, ...]


def read_design_history(database: Database, prefix: str, *, neighbours: int = 6) -> DesignHistory:
    """Everything about the one design whose id begins like this. Raises StorageError."""
    stored = find_design(database, prefix)
    row = database.row("SELECT number, novelty FROM designs WHERE id = ?", (stored.design.id,))
    assert row is not None
    number = int(row["number"])
    return DesignHistory(
        number=number,
        stored=stored,
        novelty=row["novelty"],
        document=find_document(database, stored.document_id),
        judgements=_judgements(database, number),
        history=_history(database, number, stored.design.id),
        plays=_plays(database, "number = ? ORDER BY cycle DESC, line LIMIT ?", (number, MAX_PLAYS)),
        neighbours=_neighbours(database, number, stored.design.source, neighbours),
    )


def find_document(database: Database, document_id: str | None) -> Document | None:
    """A corpus document that some brief carried."""
    row = database.row("SELECT * FROM documents WHERE id = ?", (document_id,)) if document_id else None
    if row is None:
        return None
    return as_record(Document, row, span=(row["span_start"], row["span_end"]))


def find_play(database: Database, cycle: int, line: int) -> Play:
    """One episode of the index. Raises StorageError."""
    found = _plays(database, "cycle = ? AND line = ?", (cycle, line))
    if not found:
        raise StorageError(f"cycle {cycle} of {database.path} has no episode {line}")
    return found[0]


def unaided_plays(database: Database, cycle: int) -> tuple[Play, ...]:
    """A cycle's unaided episodes of designs whose playtest counts: what the Agent's advantages are computed from."""
    counted = "SELECT number FROM playtests WHERE cycle = ?1 AND qualified"
    return _plays(database, f"cycle = ?1 AND NOT hinted AND outcome != 'void' AND number IN ({counted})", (cycle,))


def plays_beside(database: Database, play: Play) -> tuple[Play, ...]:
    """All episodes of the same playtest."""
    number = "number = (SELECT number FROM designs WHERE id = ?)"
    return _plays(database, f"{number} AND cycle = ? ORDER BY line", (play.design_id, play.cycle))


def first_play(database: Database, design_id: str) -> Play | None:
    """The design's first unaided episode, else its first."""
    number = "number = (SELECT number FROM designs WHERE id = ?)"
    found = _plays(database, f"{number} ORDER BY cycle, hinted, line LIMIT 1", (design_id,))
    return found[0] if found else None


def rewards(database: Database, cycle: int) -> tuple[Reward, ...]:
    """What a cycle's drafts earned, where it is known."""
    query = "SELECT draft_id, brief_id, skill, reward AS value FROM verdicts WHERE cycle = ? AND reward IS NOT NULL"
    return tuple(as_record(Reward, row) for row in database.rows(query, (cycle,)))


def _judgements(database: Database, number: int) -> tuple[Judgement, ...]:
    query = (
        "SELECT verdicts.*, briefs.seed AS brief_seed, briefs.exemplars, briefs.negatives, briefs.avoid FROM verdicts "
        "LEFT JOIN briefs ON briefs.cycle = verdicts.cycle AND briefs.id = verdicts.brief_id "
        "WHERE verdicts.number = ? ORDER BY verdicts.cycle, verdicts.draft_id"
    )
    return tuple(_judgement(row) for row in database.rows(query, (number,)))


def _judgement(row: sqlite3.Row) -> Judgement:
    return as_record(
        Judgement,
        row,
        problems=to_problems(row["problems"]),
        gates=to_gates(row["gates"], row["gates_cpu_ms"]),
        **{name: json.loads(row[name] or "[]") for name in ("exemplars", "negatives", "avoid")},
    )


def _history(database: Database, number: int, design_id: str) -> tuple[Measurement, ...]:
    rows = database.rows("SELECT * FROM playtests WHERE number = ? ORDER BY cycle", (number,))
    return tuple(as_record(Measurement, row, stats=to_stats(row, design_id)) for row in rows)


def _plays(database: Database, condition: str, values: Sequence[object]) -> tuple[Play, ...]:
    design = "(SELECT id FROM designs WHERE designs.number = episodes.number) AS design_id"
    query = f'SELECT episodes.*, "return" AS return_, {design} FROM episodes WHERE {condition}'
    return tuple(as_record(Play, row) for row in database.rows(query, values))


def _neighbours(database: Database, number: int, source: str, count: int) -> tuple[Neighbour, ...]:
    # Only accepted designs have a sketch in the table.
    mine = database.row("SELECT program FROM sketches WHERE number = ?", (number,))
    sketch = Sketch(packed=mine["program"]) if mine else sketch_program(source)
    bands = sketch.bands()
    near = f"SELECT number FROM bands WHERE band IN ({', '.join('?' * len(bands))})"
    query = (
        f"SELECT number, program FROM sketches WHERE number != ? AND (number IN ({near}) "
        "OR number > (SELECT max(number) FROM sketches) - ?)"
    )
    rows = database.rows(query, (number, *bands, COMPARED))
    if not rows:
        return ()
    minima = np.frombuffer(b"".join(row["program"] for row in rows), dtype="<u4").reshape(len(rows), PERMUTATIONS)
    alike = (minima == np.frombuffer(sketch.packed, dtype="<u4")).mean(axis=1)
    foremost = np.argsort(-alike, kind="stable")[:count]
    return tuple(_neighbour(database, rows[place]["number"], float(alike[place])) for place in foremost)


def _neighbour(database: Database, number: int, similarity: float) -> Neighbour:
    row = database.row("SELECT id, title, cycle FROM designs WHERE number = ?", (number,))
    assert row is not None
    return as_record(Neighbour, row, similarity=similarity)
