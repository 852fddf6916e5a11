"""Builders for what a memory is given: designs of any program, their playtests, whole cycles."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path

from openspade.memory.memory import Memory
from openspade.settings.worlds import MemoryConfig
from openspade.types import (
    Brief,
    Credit,
    CycleReport,
    Design,
    DesignStats,
    Document,
    Draft,
    Episode,
    Outcome,
    Playtest,
    Problem,
    Skill,
    Verdict,
)
from tests.fakes import SKILL, some_stats
from tests.unit.mechanics import OTHERS, question

SORTING, REVERSING = OTHERS[:2]


def open_memory(folder: Path, **settings: object) -> Memory:
    return Memory.open(folder / "run" / "openspade.db", MemoryConfig.model_validate(settings))


def design_of(source: str, title: str = "Sort numbers.") -> Design:
    identity = blake2b(source.encode(), digest_size=16).hexdigest()
    return Design(id=identity, source=source, hint="Think.", skill=SKILL.name, kind="game", title=title, max_turns=1)


def variant(number: int, title: str = "Add.") -> Design:
    """Designs of one mechanic that differ in one constant."""
    return design_of(
        question(title, f"self.x = rng.randint(1, {number})", "f'{self.x} + 1?'", "str(self.x + 1)"), title
    )


def a_document(name: str = "doc", text: str = "About sorting numbers.") -> Document:
    return Document(id=name, text=text, source="notes")


def an_episode_of(design: Design, *, seed: int = 0, hinted: bool = False) -> Episode:
    return Episode(
        design_id=design.id,
        seed=seed,
        play=0,
        hinted=hinted,
        outcome=Outcome.SOLVED,
        return_=1.0,
    )


def a_cycle(
    cycle: int,
    played: Sequence[tuple[Design, DesignStats]] = (),
    *,
    refused: Sequence[tuple[Design, Problem]] = (),
    skill: Skill = SKILL,
    document: Document | None = None,
) -> CycleReport:
    """A cycle with one brief: every design of `played` accepted and played, those of `refused` not."""
    brief = Brief(id=f"brief{cycle}", skill=skill, document=document, seed=cycle)
    judged = [(design, ()) for design, _ in played] + [(design, (problem,)) for design, problem in refused]
    verdicts = tuple(
        Verdict(draft=Draft(id=f"{cycle}-{place}", brief=brief, text="words", design=design), problems=problems)
        for place, (design, problems) in enumerate(judged)
    )
    playtests = tuple(
        Playtest(design=design, episodes=tuple(an_episode_of(design, hinted=hinted) for hinted in (False, True)))
        for design, _ in played
    )
    stats = {design.id: replace(found, design_id=design.id) for design, found in played}
    rewards = {verdict.draft.id: 0.5 for verdict in verdicts}
    credit = Credit(rewards=rewards, stats=stats, trajectories=())
    metrics = {"regret/mean": 0.1 * cycle}
    return CycleReport(
        cycle=cycle, briefs=(brief,), verdicts=verdicts, playtests=playtests, credit=credit, metrics=metrics
    )


def remember(memory: Memory, *played: tuple[Design, DesignStats], document: Document | None = None) -> None:
    """Commit the next cycle with these designs."""
    memory.commit(a_cycle(memory.last_cycle() + 1, played, document=document), state={}, checkpoint="")


def teachable(**changes: object) -> DesignStats:
    return some_stats(**changes)


def dice() -> random.Random:
    return random.Random(7)


def remember_nothing_twice(played: Sequence[tuple[Design, DesignStats]]) -> list[tuple[Design, DesignStats]]:
    """A design is played once a cycle: the last of equal ones stays."""
    return [*{design.id: (design, stats) for design, stats in played}.values()]
