"""What past designs a brief should show: worth imitating, to stay away from, to be played again (ALGORITHM §5)."""

from __future__ import annotations

import json
import random
import re
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from openspade.credit.flags import HINT_HURTS, LUCK
from openspade.memory.database import Database, as_record
from openspade.memory.search.similarity import Sketch, constants
from openspade.types import Design, DesignStats, Document, Exemplar, Negative, Skill

POOL = 64
"""Designs considered for one brief: the most valuable of the skill, and half as many of the document's source."""
REPLAY_POOL = 1000
RELEVANCE_WEIGHT = 0.5
SIMILARITY_WEIGHT = 0.3
SAME_SOURCE = 0.9
"""Relevance of a design whose document came from the same file as the brief's."""
JITTER = 0.1
"""Noise on an exemplar's score, so that briefs of one skill are not all shown the same design."""
SAME = 0.4
"""Similarity from which two designs count as one mechanic: docs/memory.md has the measurements."""
HEADLINE_CHARACTERS = 200
HACK_GATES = frozenset({"floor_gap", "no_solution_leakage", "hint_leak", "equivalent_answers"})
_WORD = re.compile(r"[a-z]{4,}")

_DESIGN = "designs.id, designs.source, designs.hint, designs.skill, designs.kind, designs.title, designs.max_turns"
_ORIGIN = "standings.document_id, standings.source AS source_of_document"
_LATEST = (
    "JOIN playtests ON playtests.number = designs.number AND playtests.cycle = "
    "(SELECT max(cycle) FROM playtests AS newer WHERE newer.number = designs.number)"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Likeness:
    """How a design looks: the sketch of its program, and of what its players read (None until it was played)."""

    program: Sketch
    observations: Sketch | None = None

    def similarity(self, other: Likeness) -> float:
        """The larger of the two: a maze stays a maze when its code is written anew, or its story is."""
        alike = self.program.similarity(other.program)
        if self.observations is None or other.observations is None:
            return alike
        return max(alike, self.observations.similarity(other.observations))


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """A design that may be shown, its aged value scaled to at most 1, and its relevance to the brief's document."""

    number: int
    value: float
    relevance: float
    likeness: Likeness


@dataclass(frozen=True, kw_only=True, slots=True)
class Failing:
    """A design that taught nothing, why, and how fitting a warning it is."""

    kind: str
    design: Design
    reason: str
    fit: float


def exemplars(
    database: Database, skill: Skill, document: Document | None, avoid: Sequence[Likeness], n: int, rng: random.Random
) -> tuple[Exemplar, ...]:
    """Up to `n` designs by value and relevance to the document, then by maximal marginal relevance."""
    pool = [
        candidate
        for candidate in _candidates(database, skill, document)
        if all(candidate.likeness.similarity(other) < SAME for other in avoid)
    ]
    gains = {
        candidate.number: (1 - RELEVANCE_WEIGHT) * candidate.value
        + RELEVANCE_WEIGHT * candidate.relevance
        + JITTER * rng.random()
        for candidate in pool
    }
    chosen: list[Candidate] = []
    while pool and len(chosen) < n:
        best = max(pool, key=lambda candidate: gains[candidate.number] - _crowding(candidate, chosen))
        pool.remove(best)
        chosen.append(best)
    return tuple(_exemplar(database, candidate.number) for candidate in chosen)


def negatives(
    database: Database, skill: Skill, document: Document | None, n: int, rng: random.Random
) -> tuple[Negative, ...]:
    """Up to `n` recent failures of different kinds, those near the document first, no mechanic twice."""
    found = _failed_in_play(database, skill, document) + _refused(database, skill, document)
    ranked = sorted(found, key=lambda failing: -(failing.fit + JITTER * rng.random()))
    chosen: dict[str, str] = {}
    kinds: set[str] = set()
    while ranked and len(chosen) < n:
        pick = next((failing for failing in ranked if failing.kind not in kinds), ranked[0])
        ranked.remove(pick)
        kinds.add(pick.kind)
        chosen.setdefault(mechanic(pick.design), pick.reason)
    return tuple(Negative(mechanic=name, reason=reason) for name, reason in chosen.items())


def replays(database: Database, n: int, age_per_cycle: float, cycle: int, rng: random.Random) -> tuple[Design, ...]:
    """Drawn by priority without replacement from the `REPLAY_POOL` foremost."""
    foremost = "WHERE priority_rank IS NOT NULL ORDER BY priority_rank DESC LIMIT ?"
    query = f"SELECT number, priority_rank FROM standings {foremost}"
    rows = database.rows(query, (REPLAY_POOL,)) if n else []
    # Exponential clocks: the n earliest are a draw without replacement, each in proportion to its weight.
    clocks = [
        (rng.expovariate(1.0) / 2 ** (row["priority_rank"] - cycle * age_per_cycle), row["number"]) for row in rows
    ]
    return tuple(design_at(database, number) for _, number in sorted(clocks)[:n])


def design_at(database: Database, number: int) -> Design:
    """The design of a row."""
    row = database.row(f"SELECT {_DESIGN} FROM designs WHERE number = ?", (number,))
    assert row is not None
    return to_design(row)


def to_design(row: sqlite3.Row) -> Design:
    """A design from a row that holds its columns."""
    return as_record(Design, row)


def to_stats(row: sqlite3.Row, design_id: str) -> DesignStats:
    """Statistics from a row of `playtests`."""
    rates = json.loads(row["seed_solve_rates"])
    return as_record(DesignStats, row, design_id=design_id, seed_solve_rates=rates)


def to_likeness(row: sqlite3.Row) -> Likeness:
    """A likeness from a row of `sketches`."""
    seen = row["observations"]
    return Likeness(program=Sketch(packed=row["program"]), observations=Sketch(packed=seen) if seen else None)


def relevance(row: sqlite3.Row, document: Document | None) -> float:
    """How much a past design (its title, document_id and source) has to do with a document, from 0 to 1.

    1 for the same document, nearly that for another piece of the same source, otherwise the share of the title's words
    that the document uses.
    """
    if document is None:
        return 0.0
    if row["document_id"] == document.id:
        return 1.0
    words = set(_WORD.findall(row["title"].lower()))
    shared = len(words & set(_WORD.findall(document.text.lower()))) / len(words) if words else 0.0
    return max(shared, SAME_SOURCE if row["source_of_document"] == document.source else 0.0)


def _candidates(database: Database, skill: Skill, document: Document | None) -> list[Candidate]:
    columns = f"standings.number, value_rank, title, program, observations, {_ORIGIN}"
    tables = "standings JOIN designs USING (number) JOIN sketches USING (number)"
    order = "AND value_rank IS NOT NULL ORDER BY value_rank DESC LIMIT ?"
    rows = database.rows(f"SELECT {columns} FROM {tables} WHERE standings.skill = ? {order}", (skill.name, POOL))
    if document is not None:
        same = f"SELECT {columns} FROM {tables} WHERE standings.source = ? AND standings.kind = ? {order}"
        rows += database.rows(same, (document.source, skill.kind, POOL // 2))
    unique = {row["number"]: row for row in rows}
    best = max((row["value_rank"] for row in unique.values()), default=0.0)
    return [_candidate(row, best, document) for row in unique.values()]


def _candidate(row: sqlite3.Row, best_rank: float, document: Document | None) -> Candidate:
    return Candidate(
        number=row["number"],
        value=2 ** (row["value_rank"] - best_rank),
        relevance=relevance(row, document),
        likeness=to_likeness(row),
    )


def _crowding(candidate: Candidate, chosen: Sequence[Candidate]) -> float:
    nearest = max((candidate.likeness.similarity(other.likeness) for other in chosen), default=0.0)
    return SIMILARITY_WEIGHT * nearest


def _exemplar(database: Database, number: int) -> Exemplar:
    row = database.row(f"SELECT {_DESIGN}, playtests.* FROM designs {_LATEST} WHERE designs.number = ?", (number,))
    assert row is not None
    measured = "SELECT regret FROM playtests WHERE number = ? AND hinted_played ORDER BY cycle DESC LIMIT 1"
    hinted = database.row(measured, (number,))
    return Exemplar(design=to_design(row), solve_rate=row["solve_rate"], regret=hinted["regret"] if hinted else 0.0)


def _failed_in_play(database: Database, skill: Skill, document: Document | None) -> list[Failing]:
    query = (
        f"SELECT standings.failing, {_ORIGIN}, {_DESIGN}, playtests.* "
        f"FROM standings JOIN designs USING (number) {_LATEST} "
        "WHERE {} AND failing = ? ORDER BY standings.cycle DESC LIMIT ?"
    )
    wanted: dict[str, tuple[str, ...]] = {"standings.skill = ?": (skill.name,)}
    if document is not None:
        wanted["standings.source = ? AND standings.kind = ?"] = (document.source, skill.kind)
    rows = [
        row
        for condition, values in wanted.items()
        for kind in ("too easy", "out of reach", "fault", HINT_HURTS, LUCK)
        for row in database.rows(query.format(condition), (*values, kind, POOL // 4))
    ]
    unique = {row["id"]: row for row in rows}
    return [_failing(row, row["failing"], _in_words(row), document) for row in unique.values()]


def _refused(database: Database, skill: Skill, document: Document | None) -> list[Failing]:
    columns = "verdicts.gate, verdicts.problems, designs.document_id, documents.source AS source_of_document"
    tables = "verdicts JOIN designs USING (number) LEFT JOIN documents ON documents.id = designs.document_id"
    query = (
        f"SELECT {columns}, {_DESIGN} FROM {tables} WHERE NOT accepted AND verdicts.number IS NOT NULL "
        "AND verdicts.skill = ? ORDER BY verdicts.cycle DESC LIMIT ?"
    )
    found: list[Failing] = []
    for row in database.rows(query, (skill.name, POOL // 4)):
        gate, message, _ = json.loads(row["problems"])[0]
        kind = "hackable" if gate in HACK_GATES else "rejected"
        found.append(_failing(row, kind, f"{kind} by {gate}: {message}", document))
    return found


def _failing(row: sqlite3.Row, kind: str, reason: str, document: Document | None) -> Failing:
    return Failing(kind=kind, design=to_design(row), reason=reason, fit=relevance(row, document))


def mechanic(design: Design) -> str:
    """A design in a few words: its headline and the numbers that it is written with."""
    numbers = constants(design.source)[:8]
    title = headline(design.title)
    return f"{title} [numbers {', '.join(numbers)}]" if numbers else title


def headline(title: str) -> str:
    """The first paragraph of a docstring in one line, cut between words beyond `HEADLINE_CHARACTERS`."""
    words = " ".join(title.strip().split("\n\n")[0].split())
    if len(words) <= HEADLINE_CHARACTERS:
        return words
    cut = words[: HEADLINE_CHARACTERS + 1].rpartition(" ")[0] or words[:HEADLINE_CHARACTERS]
    return f"{cut} ..."


def _in_words(row: sqlite3.Row) -> str:
    solved = f"solved {row['solve_rate']:.0%} of {row['unaided_plays']} unaided plays"
    reasons: Mapping[str, str] = {
        "too easy": f"too easy: {solved}",
        "out of reach": f"out of reach: {solved}, {row['hinted_solve_rate']:.0%} with the hint",
        "fault": f"broke in play: {row['fault']}",
        HINT_HURTS: f"its hint misleads: {solved}, {row['hinted_solve_rate']:.0%} with the hint",
        LUCK: f"pure luck: {solved}, and no more than by moves made for other instances",
    }
    return reasons[row["failing"]]
