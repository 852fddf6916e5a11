"""A stored cycle as the credit saw it: its verdicts with their tokens, and its playtests."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Any

from openspade.memory.database import Database
from openspade.memory.read.design_list import to_gates, to_problems
from openspade.memory.search import recall
from openspade.memory.write.history import read_drafts, read_episodes, to_stream
from openspade.types import Brief, Draft, Playtest, Skill, Verdict


def stored_verdicts(database: Database, cycle: int) -> tuple[Verdict, ...]:
    """A cycle's verdicts in their order. Briefs carry no document, exemplars or negatives. Raises StorageError."""
    briefs = {row["id"]: row for row in database.rows("SELECT * FROM briefs WHERE cycle = ?", (cycle,))}
    rows = {row["draft_id"]: row for row in database.rows("SELECT * FROM verdicts WHERE cycle = ?", (cycle,))}
    drafts = read_drafts(database.path.parent, cycle)
    return tuple(_verdict(database, rows[d["id"]], d, briefs[d["brief_id"]]) for d in drafts)


def stored_playtests(database: Database, cycle: int) -> tuple[Playtest, ...]:
    """A cycle's playtests, every episode whole. Raises StorageError."""
    episodes = read_episodes(database.path.parent, cycle)
    query = "SELECT number, replayed, fault FROM playtests WHERE cycle = ?"
    facts = {recall.design_at(database, row["number"]): row for row in database.rows(query, (cycle,))}
    order = {design_id: place for place, design_id in enumerate(dict.fromkeys(e.design_id for e in episodes))}
    return tuple(
        Playtest(
            design=design,
            episodes=tuple(episode for episode in episodes if episode.design_id == design.id),
            fault=facts[design]["fault"],
            replayed=bool(facts[design]["replayed"]),
        )
        for design in sorted(facts, key=lambda design: order.get(design.id, len(order)))
    )


def _verdict(database: Database, row: sqlite3.Row, draft: Mapping[str, Any], brief: sqlite3.Row) -> Verdict:
    asked = Brief(
        id=brief["id"],
        skill=Skill(name=brief["skill"], kind=brief["kind"], description=""),
        document=None,
        seed=brief["seed"],
    )
    problems = to_problems(row["problems"])
    return Verdict(
        draft=Draft(
            id=draft["id"],
            brief=asked,
            text=draft["text"],
            streams=tuple(to_stream(stream) for stream in draft["streams"]),
            design=recall.design_at(database, row["number"]) if row["number"] else None,
            problem=problems[0] if problems and not row["number"] else None,
            policy_version=draft.get("policy_version", 0),
            repairs=draft.get("repairs", ""),
        ),
        problems=problems,
        gates=to_gates(row["gates"], row["gates_cpu_ms"]),
    )
