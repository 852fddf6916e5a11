"""What the nano policy is pretrained on: conversations of both roles, with good play, plain play and good programs.

A good hint goes with worked steps nearly always, no hint and a vague hint go with quick answers mostly. So a good hint
truly raises the return, and reinforcement learning on unaided play can find the steps without it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources

from openspade.memory.search.recall import mechanic as in_few_words
from openspade.nano.all_mechanics import DECLINE, MECHANICS, VAGUE_HINTS
from openspade.nano.mechanic import MAX_LEVEL, Knobs, LessonExchange, Manner, Mechanic
from openspade.roles.prompts import Prompts
from openspade.roles.source import read_design
from openspade.tokens import JSON, Message
from openspade.types import Brief, Design, Document, Exemplar, Negative, Skill

GAME_SKILLS = (
    "mathematical reasoning",
    "logical deduction",
    "spatial reasoning",
    "pattern recognition",
    "optimisation",
    "causal inference",
)
TOOL_SKILLS = (
    "API orchestration",
    "data retrieval",
    "state modification",
    "error recovery",
    "tool selection",
    "multi-step workflow",
)
PLAYS = (8, 16, 32)


@dataclass(frozen=True, kw_only=True, slots=True)
class Lesson:
    """A conversation to learn from: only the replies are learnt."""

    opening: tuple[Message, ...]
    exchanges: tuple[LessonExchange, ...]
    tools: tuple[Mapping[str, JSON], ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Mix:
    """Shares of the lessons. A level is `level_decay` times as frequent as the one below it, `design_decay` times where
    a brief says nothing of the level. Without a good hint steps are written in `worked_unaided` of the plays at level 1
    and, at each further level, `worked_decay` times as often as at the one below."""

    level_decay: float
    designer: float
    good_hint: float
    worked_unaided: float
    echo: float = 0.0
    design_decay: float = 0.85
    worked_decay: float = 1.0


def documents() -> tuple[Document, ...]:
    """The corpus that ships with the package; `source` is "nano:" and the mechanic that a document is about."""
    text = (resources.files("openspade.nano") / "corpus.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    return tuple(Document(id=r["id"], text=r["text"], source=r["source"], licence=r["licence"]) for r in rows)


def draw_level(decay: float, rng: random.Random) -> int:
    """A level from 1 to `MAX_LEVEL`, each `decay` times as frequent as the one below."""
    levels = range(1, MAX_LEVEL + 1)
    return rng.choices(levels, weights=[decay**level for level in levels])[0]


class LessonWriter:
    """Makes lessons, each from its own random source."""

    def __init__(self, mix: Mix, prompts: Prompts, corpus: Sequence[Document]) -> None:
        self._mix = mix
        self._prompts = prompts
        self._documents: dict[str, list[Document]] = {}
        for document in corpus:
            self._documents.setdefault(document.source.partition(":")[2], []).append(document)

    def lesson(self, rng: random.Random) -> Lesson:
        """The next lesson, of either role or an echo."""
        if rng.random() < self._mix.echo:
            return self.echo(rng)
        return self.design(rng) if rng.random() < self._mix.designer else self.play(rng)

    def echo(self, rng: random.Random) -> Lesson:
        """A row of signs to be said again: attention learns to copy here in a minute, and within games in ten."""
        row = "".join(rng.choices("0123456789BCDFGHJKLMNPQRSTVWXZ +=", k=rng.randint(3, 24))).strip() or "0"
        opening = self._prompts.play(f"Say {row}", kind="game", hint=None)
        return Lesson(opening=opening, exchanges=(LessonExchange(reply=f"\\boxed{{{row}}}"),))

    # --- the Agent ------------------------------------------------------------------------------

    def play(self, rng: random.Random) -> Lesson:
        """A play of an instance: unaided, with a good hint, or with a vague one."""
        mechanic = rng.choice(MECHANICS)
        knobs = mechanic.draw(draw_level(self._mix.level_decay, rng), rng)
        arm = rng.choices(("unaided", "good", "vague"), weights=(5, 3, 2))[0]
        hint = {"unaided": None, "good": rng.choice(mechanic.hints), "vague": rng.choice(VAGUE_HINTS)}[arm]
        manner = self._manner(mechanic, knobs.level, arm == "good", rng)
        seed = rng.randrange(2**31)
        script = mechanic.play(knobs, random.Random(seed), manner, rng)
        return Lesson(
            opening=self._prompts.play(script.first, kind=mechanic.kind, hint=hint),
            exchanges=script.exchanges,
            tools=(*mechanic.tools, DECLINE) if mechanic.kind == "tool" else (),
        )

    def _manner(self, mechanic: Mechanic, level: int, well_advised: bool, rng: random.Random) -> Manner:
        worked = 0.97 if well_advised else self._mix.worked_unaided * self._mix.worked_decay ** (level - 1)
        if rng.random() < worked:
            return "worked"
        return rng.choice([manner for manner in mechanic.manners if manner != "worked"])

    # --- the Designer ---------------------------------------------------------------------------

    def design(self, rng: random.Random) -> Lesson:
        """A program for a brief: its mechanic follows the document, its level what the memory shows."""
        mechanic = rng.choice(MECHANICS)
        document = rng.choice(self._documents[mechanic.name]) if rng.random() < 0.93 else None
        skill = self._skill(mechanic, document is not None, rng)
        knobs = mechanic.draw(draw_level(self._mix.design_decay, rng), rng)
        exemplars: tuple[Exemplar, ...] = ()
        negatives: tuple[Negative, ...] = ()
        if rng.random() < 0.65:
            exemplar, knobs = self._exemplar(mechanic, skill, knobs, rng)
            exemplars = (exemplar,)
        if rng.random() < 0.5:
            negative, knobs = self._negative(mechanic, skill, knobs, rng)
            negatives = (negative,)
        brief = Brief(
            id="lesson", skill=skill, document=document, exemplars=exemplars, negatives=negatives, avoid=(), seed=0
        )
        source = mechanic.program(knobs, hint=self._hint(mechanic, rng), skill=skill.name)
        return Lesson(
            opening=self._prompts.design(brief), exchanges=(LessonExchange(reply=f"```python\n{source.strip()}\n```"),)
        )

    def _skill(self, mechanic: Mechanic, told: bool, rng: random.Random) -> Skill:
        names = GAME_SKILLS if mechanic.kind == "game" else TOOL_SKILLS
        name = rng.choice(names) if told and rng.random() < 0.5 else mechanic.skill
        return Skill(name=name, kind=mechanic.kind, description="")

    def _hint(self, mechanic: Mechanic, rng: random.Random) -> str:
        return rng.choice(mechanic.hints if rng.random() < self._mix.good_hint else VAGUE_HINTS)

    def _other(self, mechanic: Mechanic, skill: Skill, rng: random.Random) -> tuple[Design, Knobs, bool]:
        """A past design, of the same mechanic more often than not."""
        same = rng.random() < 0.65
        past = mechanic if same else rng.choice([one for one in MECHANICS if one.kind == mechanic.kind])
        knobs = past.draw(draw_level(0.92, rng), rng)
        design = read_design(past.program(knobs, hint=self._hint(past, rng), skill=skill.name))
        assert isinstance(design, Design)
        return design, knobs, past is mechanic

    def _exemplar(self, mechanic: Mechanic, skill: Skill, knobs: Knobs, rng: random.Random) -> tuple[Exemplar, Knobs]:
        design, shown, same = self._other(mechanic, skill, rng)
        solved = rng.randint(0, 16) / 16
        exemplar = Exemplar(design=design, solve_rate=solved, regret=rng.randint(-2, 10) / 16)
        if same:
            level = shown.level + round(4 * (solved - 0.5)) + rng.choice((-1, 0, 0, 1))
            knobs = _at_level(knobs, level)
        return exemplar, knobs

    def _negative(self, mechanic: Mechanic, skill: Skill, knobs: Knobs, rng: random.Random) -> tuple[Negative, Knobs]:
        design, shown, same = self._other(mechanic, skill, rng)
        plays, easy = rng.choice(PLAYS), rng.random() < 0.5
        solved = rng.uniform(0.91, 1) if easy else rng.uniform(0, 0.09)
        told = f"solved {solved:.0%} of {plays} unaided plays"
        reason = f"too easy: {told}" if easy else f"out of reach: {told}, {rng.uniform(0, 0.09):.0%} with the hint"
        if same and easy and knobs.level <= shown.level:
            knobs = _at_level(knobs, shown.level + rng.randint(1, 2))
        elif same and not easy and knobs.level >= shown.level:
            knobs = _at_level(knobs, shown.level - rng.randint(1, 2))
        return Negative(mechanic=in_few_words(design), reason=reason), knobs


def _at_level(knobs: Knobs, level: int) -> Knobs:
    return Knobs(
        level=min(MAX_LEVEL, max(1, level)),
        low=knobs.low,
        high=knobs.high,
        wording=knobs.wording,
        verdict=knobs.verdict,
        terse=knobs.terse,
    )
