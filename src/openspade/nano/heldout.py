"""The held-out suite of the nano world: fixed designs and seeds that neither pretraining nor self-play ever plays.

Every design has a range of numbers that no pretraining program has, two families are played with digits in place of
letters, and seeds lie above all seeds that `openspade.chance.environment_seed` and the lessons draw.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from openspade.nano.catalogue import MECHANICS, mechanic
from openspade.nano.mechanic import Knobs, Mechanic
from openspade.types import JSON

FIRST_SEED = 2**31
SEEDS_A_DESIGN = 4
SUITE = Path(__file__).parent / "heldout.jsonl"

RANGES = {
    "sums": (3, 9),
    "sequence": (5, 18),
    "clock": (4, 13),
    "truth": (2, 6),
    "sorting": (2, 6),
    "mirror": (9, 1),
    "tally": (7, 2),
    "stack": (4, 3),
    "roads": (5, 1),
    "hidden": (11, 3),
    "line": (5, 0),
    "prices": (4, 9),
    "fill": (4, 20),
    "ring": (6, 0),
}
"""`low` and `high` of every mechanic's held-out designs."""

LEVELS = {
    "sums": (2, 4, 6),
    "sequence": (2, 4, 6),
    "clock": (2, 4, 6),
    "truth": (1, 3, 5),
    "sorting": (2, 4, 6),
    "mirror": (2, 4, 6),
    "tally": (2, 4, 6),
    "stack": (1, 3, 5),
    "roads": (2, 4, 6),
    "hidden": (2, 5, 8),
    "line": (2, 4, 6),
    "prices": (2, 4, 6),
    "fill": (2, 4, 6),
    "ring": (2, 4, 6),
}

DIGITS = "123456789"
SWAPPED = {"mirror": "mirror of digits"}
"""Mechanics that also come with digits where pretraining has letters, and the family's name."""


@dataclass(frozen=True, kw_only=True, slots=True)
class HeldOutDesign:
    """One design of the suite: its program, a good hint, and the seeds it is played on."""

    family: str
    level: int
    source: str
    hint: str
    seeds: tuple[int, ...]

    def row(self) -> dict[str, JSON]:
        """The design as a line of `heldout.jsonl`."""
        return {
            "family": self.family,
            "level": self.level,
            "source": self.source,
            "hint": self.hint,
            "seeds": [*self.seeds],
        }


def make_suite() -> Iterator[HeldOutDesign]:
    """The suite from its definition; `heldout.jsonl` holds it frozen."""
    for one in MECHANICS:
        yield from _family(one, one.name)
    for name, family in SWAPPED.items():
        yield from _family(mechanic(name), family)


def write_suite(path: Path = SUITE) -> None:
    """Freeze the suite. It is changed only together with every score that was measured on it."""
    path.write_text("".join(json.dumps(design.row()) + "\n" for design in make_suite()), encoding="utf-8")


def _family(one: Mechanic, family: str) -> Iterator[HeldOutDesign]:
    for level in LEVELS[one.name]:
        rng = random.Random(f"held out/{family}/{level}")
        low, high = RANGES[one.name]
        knobs = replace(one.draw(level, rng), low=low, high=high)
        hint = rng.choice(one.hints)
        source = one.program(knobs, hint=hint)
        if family in SWAPPED.values():
            source = _with_digits(source, knobs)
        seeds = tuple(FIRST_SEED + rng.randrange(2**31) for _ in range(SEEDS_A_DESIGN))
        yield HeldOutDesign(family=family, level=level, source=source, hint=hint, seeds=seeds)


def _with_digits(source: str, knobs: Knobs) -> str:
    return source.replace(f'"{knobs.letters[: knobs.low]}"', f'"{DIGITS}"').replace(" letters.", " digits.")
