"""What a mechanic of the nano world is: a family of programs with numbers to turn, and how each is played.

A mechanic is written twice: as program text for the Designer, and as a script of a play for the Agent. Both draw the
same numbers from the same `random.Random`, so that a script needs no generated code to run; a test holds them together.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from openspade.tokens import JSON, Message
from openspade.types import Kind

Manner = Literal["direct", "worked", "hasty"]
"""How the Agent plays: it answers at once, writes the steps first, or acts before it looked."""

YES = ("Yes.", "Right.", "Correct.", "Well done.")
NO = ("No.", "Wrong.", "Not this.", "Sorry.")
LETTERS = ("BCDFGHJKLMNPQRSTVWXZ", "ZXWVTSRQPNMLKJHGFDCB", "KBTZMDWRGPHXNCLSJVQF", "MRDKZVBTWHCNPSGXLJFQ")
MAX_LEVEL = 9


@dataclass(frozen=True, kw_only=True, slots=True)
class Knobs:
    """The numbers and words a program is written with. `level` is the difficulty, from 1 to 9."""

    level: int
    low: int
    high: int
    wording: int = 0
    verdict: int = 0
    terse: bool = False

    @property
    def letters(self) -> str:
        """The alphabet of games played with letters."""
        return LETTERS[self.high % len(LETTERS)]


@dataclass(frozen=True, kw_only=True, slots=True)
class Body:
    """What of a program is its own: docstring, methods, and the turns it allows where that is not the default."""

    title: str
    methods: str
    max_turns: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class LessonExchange:
    """A reply of the Agent and what it is told next; nothing after the last one."""

    reply: str
    answers: tuple[Message, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class MechanicPlay:
    """One play of one instance."""

    first: str
    exchanges: tuple[LessonExchange, ...]


@dataclass(frozen=True, kw_only=True)
class Mechanic:
    """A family of environments. `play` draws the instance from its first random source, chance moves from the other."""

    name: str
    kind: Kind
    skill: str
    hints: tuple[str, ...]
    lows: tuple[int, ...]
    highs: tuple[int, ...]
    wordings: int
    body: Callable[[Knobs], Body]
    play: Callable[[Knobs, random.Random, Manner, random.Random], MechanicPlay]
    manners: tuple[Manner, ...] = ("direct", "worked")
    tools: tuple[Mapping[str, JSON], ...] = ()

    def draw(self, level: int, rng: random.Random) -> Knobs:
        """Knobs of that level, everything else by chance."""
        return Knobs(
            level=level,
            low=rng.choice(self.lows),
            high=rng.choice(self.highs),
            wording=rng.randrange(self.wordings),
            verdict=rng.randrange(len(YES) * len(NO)),
            terse=rng.random() < 0.5,
        )

    def program(self, knobs: Knobs, *, hint: str, skill: str = "") -> str:
        """The whole source of an environment."""
        body = self.body(knobs)
        base = "Game" if self.kind == "game" else "ToolTask"
        names = "Game, as_number, same_answer" if self.kind == "game" else "Request, ToolTask, tool"
        turns = f"    max_turns = {body.max_turns}\n" if body.max_turns else ""
        return (
            f"from openspade_env import {names}\n\n\n"
            f"class {self.name.capitalize()}({base}):\n"
            f'    """{body.title}"""\n'
            f'    skill = "{skill or self.skill}"\n'
            f'    hint = "{hint}"\n{turns}\n'
            f"{body.methods}"
        )


def question(knobs: Knobs, title: str, setup: Sequence[str], asks: Sequence[str], kind: str) -> Body:
    """A game of one question: `setup` sets `self.answer`, a text, and what the wording in `asks` shows."""
    start = "\n".join(f"        {line}" for line in setup)
    ending = verdict(knobs, f'same_answer(action, self.answer, kind="{kind}")')
    return Body(
        title=title,
        methods=(
            f"    def start(self, rng):\n{start}\n"
            f'        return f"{asks[knobs.wording]}"\n\n'
            f"    def act(self, action):\n{ending}\n\n"
            f"    def solution(self):\n        return [self.answer]\n"
        ),
    )


def verdict(knobs: Knobs, condition: str) -> str:
    """The lines that end a game, one of two shapes."""
    yes, no = YES[knobs.verdict % len(YES)], NO[knobs.verdict // len(YES)]
    if knobs.terse:
        return f'        right = {condition}\n        return self.win("{yes}") if right else self.lose("{no}")'
    return f'        if {condition}:\n            return self.win("{yes}")\n        return self.lose("{no}")'


def answered(first: str, answer: str, steps: str, manner: Manner) -> MechanicPlay:
    """The play of one question: the answer alone, or after the steps that lead to it."""
    reply = f"{steps} \\boxed{{{answer}}}" if manner == "worked" else f"\\boxed{{{answer}}}"
    return MechanicPlay(first=first, exchanges=(LessonExchange(reply=reply),))


def joined(items: Sequence[object]) -> str:
    """Items with nothing between them."""
    return "".join(map(str, items))


def spaced(items: Sequence[object]) -> str:
    """Items with single blanks between them."""
    return " ".join(map(str, items))
