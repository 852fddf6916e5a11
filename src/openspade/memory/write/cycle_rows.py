"""What a cycle leaves behind, row by row. Everything here runs inside one transaction of `Memory.commit`."""

from __future__ import annotations

import json
import math
import sqlite3
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from openspade.credit.flags import HINT_HURTS, LUCK, measured_flags
from openspade.credit.regret import band, between_design_variance, shrink
from openspade.memory.search.similarity import Sketch, fingerprint, sketch_program
from openspade.memory.write.looks import observe
from openspade.settings.learning import RewardConfig
from openspade.settings.worlds import MemoryConfig
from openspade.types import Brief, CycleReport, Design, DesignStats, Document, Outcome, Playtest, Verdict

RECENT_PLAYTESTS = 200
"""Playtests from which the regret's variance between designs is estimated."""
VALUE_FLOOR = 0.05
"""Worth, as an exemplar, of a design in the band that showed no regret: less than any teachable one, more than none."""
NOVELTY_FLOOR = 0.1
"""A design that looks like another may still differ in its numbers: it is played again rarely, not never."""
NEIGHBOURS = 64
"""Designs of a shared band that novelty compares with, latest first: bounds the cost where very many are alike."""
LONGEST_WINDOW = 64
"""Cycles after which a draft's reward is known at the latest: the highest `cycle.reuse`."""
EASY, HARD = 0.9, 0.1


@dataclass(frozen=True, kw_only=True, slots=True)
class Origin:
    """Where a design came from: the brief's skill and document, and the cycle (-1: not of this run)."""

    skill: str
    cycle: int
    document_id: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """What a design is worth after a playtest: as an exemplar, and to be played again; `failing` why not, if so."""

    value: float
    priority: float
    failing: str | None


def standing_of(stats: DesignStats, regret: float, novelty: float, config: RewardConfig) -> Standing:
    """ALGORITHM §5 without the ageing, which `rank` adds. `regret` is already shrunk."""
    if not stats.qualified:
        return Standing(value=0.0, priority=0.0, failing="fault" if stats.fault else None)
    teachable = band(stats.solve_rate, config) * stats.learnable
    credit = min(max(regret / config.regret_scale, 0.0), 1.0)
    flags = measured_flags(stats)
    failing = next((flag for flag in (HINT_HURTS, LUCK) if flag in flags), None)
    if failing:
        return Standing(value=0.0, priority=0.0, failing=failing)
    if stats.solve_rate > EASY:
        failing = "too easy"
    elif stats.solve_rate < HARD and stats.hinted_solve_rate < HARD:
        failing = "out of reach"
    return Standing(
        value=teachable * (VALUE_FLOOR + (1 - VALUE_FLOOR) * credit),
        priority=stats.solve_rate * (1 - stats.solve_rate) * max(novelty, NOVELTY_FLOOR),
        failing=failing,
    )


def rank(worth: float, cycle: int, half_life_cycles: float) -> float | None:
    """Orders worths of different ages once and for all; None for worthless.

    worth * 0.5^((now - cycle) / half_life) = 2^(rank - now / half_life), so `now` never changes the order.
    """
    return math.log2(worth) + cycle / half_life_cycles if worth > 0 else None


def add_briefs(db: sqlite3.Connection, report: CycleReport) -> None:
    """The cycle's briefs and the documents they carry."""
    for brief in report.briefs:
        if brief.document is not None:
            add_document(db, brief.document)
        db.execute("INSERT INTO briefs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", _brief_row(report.cycle, brief))


def add_verdicts(db: sqlite3.Connection, report: CycleReport) -> None:
    """Every draft's verdict with its reward; designs seen for the first time are stored with it."""
    for verdict in report.verdicts:
        brief = verdict.draft.brief
        document_id = brief.document.id if brief.document else None
        number = None
        if verdict.draft.design is not None:
            origin = Origin(skill=brief.skill.name, cycle=report.cycle, document_id=document_id)
            number = add_design(db, verdict.draft.design, origin, accepted=verdict.accepted)
        reward = report.credit.rewards.get(verdict.draft.id)
        row = _verdict_row(report.cycle, verdict, number, reward)
        db.execute("INSERT INTO verdicts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    # Drafts of earlier cycles earn theirs when their window closes (`cycle.reuse`).
    now = {verdict.draft.id for verdict in report.verdicts}
    late = "UPDATE verdicts SET reward = ? WHERE cycle BETWEEN ? AND ? AND draft_id = ?"
    span = report.cycle - LONGEST_WINDOW, report.cycle - 1
    earlier = [(reward, *span, draft) for draft, reward in report.credit.rewards.items() if draft not in now]
    db.executemany(late, earlier)


def add_design(db: sqlite3.Connection, design: Design, origin: Origin, *, accepted: bool) -> int:
    """The design's row number; its row is made at first sight, and its sketch when it is first accepted."""
    known = db.execute("SELECT number, accepted_number FROM designs WHERE id = ?", (design.id,)).fetchone()
    if known is None:
        number = int(db.execute("SELECT coalesce(max(number), 0) + 1 FROM designs").fetchone()[0])
        values = ", ".join("?" * 13)
        db.execute(f"INSERT INTO designs VALUES ({values}, NULL, NULL)", _design_row(number, design, origin))
    else:
        number = int(known["number"])
    if accepted and (known is None or known["accepted_number"] is None):
        _accept(db, number, sketch_program(design.source))
    return number


def add_playtests(db: sqlite3.Connection, report: CycleReport, config: MemoryConfig, reward: RewardConfig) -> None:
    """Statistics of each playtest, the index of its episodes, and where its design stands now."""
    line = 0
    for playtest in report.playtests:
        # A design of a fixed pool comes without a verdict of this run.
        origin = Origin(skill=playtest.design.skill, cycle=-1)
        number = add_design(db, playtest.design, origin, accepted=True)
        for episode in playtest.episodes:
            counts = len(episode.turns), sum(sum(stream.written) for stream in episode.streams)
            identity = report.cycle, line, number, episode.seed, episode.play, episode.hinted
            result = episode.outcome.value, episode.return_, plain(episode.cause)
            db.execute("INSERT INTO episodes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (*identity, *result, *counts))
            line += 1
        stats = report.credit.stats.get(playtest.design.id)
        if stats is not None:
            row = _playtest_row(number, report.cycle, playtest, stats)
            # Two drafts of a cycle may be the same program: their plays are one design's.
            db.execute(f"INSERT OR REPLACE INTO playtests VALUES ({', '.join('?' * 17)})", row)
        _add_observations(db, number, playtest)
    variance = regret_variance(db)
    for playtest in report.playtests:
        stats = report.credit.stats.get(playtest.design.id)
        if stats is not None:
            set_standing(db, stats, report.cycle, variance, (config, reward))


def set_standing(
    db: sqlite3.Connection,
    stats: DesignStats,
    cycle: int,
    variance: float,
    config: tuple[MemoryConfig, RewardConfig],
) -> None:
    """Rank a design by its latest statistics; a replay without hints keeps the regret measured before."""
    memory, reward = config
    design = db.execute("SELECT * FROM designs WHERE id = ?", (stats.design_id,)).fetchone()
    regret, regret_se = stats.regret, stats.regret_se
    if not stats.hinted_played:
        newest = (
            "SELECT regret, regret_se FROM playtests WHERE number = ? AND hinted_played ORDER BY cycle DESC LIMIT 1"
        )
        earlier = db.execute(newest, (design["number"],)).fetchone()
        regret, regret_se = (earlier["regret"], earlier["regret_se"]) if earlier else (0.0, 0.0)
    novelty = 1.0 if design["novelty"] is None else design["novelty"]
    standing = standing_of(stats, shrink(regret, regret_se, variance), novelty, reward)
    ranks = tuple(rank(worth, cycle, memory.half_life_cycles) for worth in (standing.value, standing.priority))
    document = db.execute("SELECT source FROM documents WHERE id = ?", (design["document_id"],)).fetchone()
    origin = design["document_id"], document["source"] if document else None, cycle
    identity = design["number"], design["asked_skill"], design["kind"], *origin
    row = (*identity, standing.value, standing.priority, *ranks, standing.failing)
    db.execute("INSERT OR REPLACE INTO standings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)


def rerank(db: sqlite3.Connection, half_life_cycles: float) -> None:
    """Stored ranks assume a half-life; another one needs them anew."""
    known = db.execute("SELECT value FROM settings WHERE name = 'half_life_cycles'").fetchone()
    if known is not None and known["value"] == half_life_cycles:
        return
    for worth in ("value", "priority"):
        fresh = f"log2({worth}) + cycle / ?"
        db.execute(f"UPDATE standings SET {worth}_rank = {fresh} WHERE {worth} > 0", (half_life_cycles,))
    db.execute("INSERT OR REPLACE INTO settings VALUES ('half_life_cycles', ?)", (half_life_cycles,))


def regret_variance(db: sqlite3.Connection) -> float:
    """tau^2 over the latest playtests with both arms."""
    recent = (
        "SELECT regret, regret_se FROM playtests WHERE hinted_played AND qualified ORDER BY cycle DESC, number LIMIT ?"
    )
    rows = db.execute(recent, (RECENT_PLAYTESTS,)).fetchall()
    return between_design_variance([row["regret"] for row in rows], [row["regret_se"] for row in rows])


def nearest(db: sqlite3.Connection, sketch: Sketch, *, window: int | None = None) -> tuple[int, float] | None:
    """Row number and similarity of the accepted design most like a program; None when none shares a band.

    `window` looks at so many of the latest accepted designs only.
    """
    last = int(db.execute("SELECT coalesce(max(accepted_number), 0) FROM designs").fetchone()[0]) if window else 0
    # Designs taken over from other runs have negative numbers.
    before = last - window if window else -sys.maxsize
    recent = "SELECT program FROM sketches JOIN designs USING (number) WHERE number = ? AND accepted_number > ?"
    latest = "SELECT number FROM bands WHERE band = ? ORDER BY number DESC LIMIT ?"
    near = {row["number"] for key in sketch.bands() for row in db.execute(latest, (key, NEIGHBOURS))}
    best: tuple[float, int] | None = None
    for number in near:
        stored = db.execute(recent, (number, before)).fetchone()
        if stored is not None:
            alike = sketch.similarity(Sketch(packed=stored["program"])), -number
            best = max(best, alike) if best else alike
    return (-best[1], best[0]) if best else None


def compact(value: object) -> str:
    """JSON that is the same for equal values."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def plain(text: str) -> str:
    """Text that UTF-8 can hold: generated programs may make half a surrogate pair."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def checksum(design: Design) -> str:
    """Of everything a design says."""
    parts = (design.id, design.source, design.hint, design.kind, design.title, str(design.max_turns))
    return blake2b("\x00".join(plain(part) for part in parts).encode(), digest_size=16).hexdigest()


def _accept(db: sqlite3.Connection, number: int, sketch: Sketch) -> None:
    neighbour = nearest(db, sketch)
    novelty = 1.0 - neighbour[1] if neighbour else 1.0
    order = "(SELECT coalesce(max(accepted_number), 0) + 1 FROM designs)"
    db.execute(f"UPDATE designs SET accepted_number = {order}, novelty = ? WHERE number = ?", (novelty, number))
    db.execute("INSERT INTO sketches VALUES (?, ?, NULL)", (number, sketch.packed))
    db.executemany("INSERT OR IGNORE INTO bands VALUES (?, ?)", [(key, number) for key in sketch.bands()])


def _add_observations(db: sqlite3.Connection, number: int, playtest: Playtest) -> None:
    first = [episode.first_observation for episode in playtest.episodes if not episode.hinted]
    texts = [*dict.fromkeys(text for text in first if text)]
    if texts:
        observe(db, number, texts)


def add_document(db: sqlite3.Connection, document: Document) -> None:
    """A document that a brief carried; a known one stays as it is."""
    row = document.id, document.source, document.version, *document.span, document.licence, plain(document.text)
    db.execute("INSERT OR IGNORE INTO documents VALUES (?, ?, ?, ?, ?, ?, ?)", row)


def _brief_row(cycle: int, brief: Brief) -> Sequence[object]:
    document_id = brief.document.id if brief.document else None
    exemplars = compact([exemplar.design.id for exemplar in brief.exemplars])
    negatives = compact([[negative.mechanic, negative.reason] for negative in brief.negatives])
    shown = exemplars, negatives, compact(list(brief.avoid))
    return cycle, brief.id, brief.skill.name, brief.skill.kind, document_id, brief.seed, *shown


def _design_row(number: int, design: Design, origin: Origin) -> Sequence[object]:
    words = plain(design.source), plain(design.hint), plain(design.skill), design.kind, plain(design.title)
    came_from = origin.cycle, origin.skill, origin.document_id
    return number, design.id, *words, design.max_turns, *came_from, fingerprint(design.source), checksum(design)


def _verdict_row(cycle: int, verdict: Verdict, number: int | None, reward: float | None) -> Sequence[object]:
    problems = [[problem.gate, plain(problem.message), plain(problem.evidence)] for problem in verdict.problems]
    gates = [[result.gate, result.passed, plain(result.note)] for result in verdict.gates]
    judged = verdict.accepted, problems[0][0] if problems else "", compact(problems), compact(gates)
    cpu_ms = compact([round(result.cpu_ms, 3) for result in verdict.gates])
    draft = verdict.draft
    return cycle, draft.id, draft.brief.id, draft.brief.skill.name, number, *judged, cpu_ms, reward


def _playtest_row(number: int, cycle: int, playtest: Playtest, stats: DesignStats) -> Sequence[object]:
    counted = [e for e in playtest.episodes if not e.hinted and e.outcome is not Outcome.VOID]
    version = playtest.episodes[0].policy_version if playtest.episodes else 0
    return playtest_row(number, cycle, (version, len(counted)), stats, replayed=playtest.replayed)


def playtest_row(
    number: int, cycle: int, version_and_plays: tuple[int, int], stats: DesignStats, *, replayed: bool
) -> Sequence[object]:
    """A row of `playtests`: the policy's version and the unaided plays that counted stand beside the statistics."""
    version, plays = version_and_plays
    rates = stats.solve_rate, stats.hinted_solve_rate, stats.unaided_return, stats.hinted_return
    spread = stats.regret, stats.regret_se, stats.learnable, compact(stats.seed_solve_rates)
    flags = stats.hinted_played, stats.qualified, plain(stats.fault)
    return number, cycle, version, replayed, stats.pairs, plays, *rates, *spread, *flags


def finite(values: Mapping[str, float]) -> list[tuple[str, float | None]]:
    """Metrics in a fixed order, without the numbers that a database cannot hold."""
    return [(name, float(value) if math.isfinite(value) else None) for name, value in sorted(values.items())]
