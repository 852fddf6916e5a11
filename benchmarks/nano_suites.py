"""How the held-out suites of the nano world were made: designs and seeds that neither pretraining nor self-play plays.

    python -m benchmarks.nano_suites

writes them anew, which is done only together with every score that was measured on them.

Most designs have a range of numbers that no pretraining program has (`RANGES`; lines and truth columns keep theirs:
other lengths are beyond the base, which would leave nothing to measure). All seeds lie above those that
`openspade.chance.environment_seed` and the lessons draw.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from openspade.nano.all_mechanics import MECHANICS, mechanic
from openspade.nano.measure import SUITE
from openspade.nano.mechanic import MAX_LEVEL, Mechanic
from openspade.tokens import JSON

FIRST_SEED = 2**31
SEEDS_A_DESIGN = 4
SIX_LEVELS = Path("recipes/experiments/six_levels.jsonl")
SIX = ("sums", "truth", "tally", "stack", "roads", "prices")

RANGES = {
    "sums": (3, 9),
    "sequence": (5, 18),
    "clock": (4, 13),
    "truth": (1, 7),
    "sorting": (2, 6),
    "mirror": (9, 1),
    "tally": (7, 2),
    "stack": (4, 3),
    "roads": (5, 1),
    "hidden": (11, 3),
    "line": (4, 0),
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
    "mirror": (3, 6, 8),
    "tally": (1, 3, 5),
    "stack": (1, 3, 5),
    "roads": (2, 4, 6),
    "hidden": (2, 5, 8),
    "line": (3, 6, 9),
    "prices": (1, 3, 5),
    "fill": (4, 6, 9),
    "ring": (2, 4, 6),
}


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
        yield from _family(one)


def make_levels(names: Sequence[str]) -> Iterator[HeldOutDesign]:
    """Some mechanics at every level, held-out ranges and seeds; the family is the level, so that scores show how far
    skill reaches. `recipes/experiments/six_levels.jsonl` holds the six of them frozen."""
    for name in names:
        for level in range(1, MAX_LEVEL + 1):
            yield _design(mechanic(name), level, random.Random(f"levels/{name}/{level}"), family=f"level{level}")


def as_lines(designs: Iterable[HeldOutDesign]) -> str:
    return "".join(json.dumps(design.row()) + "\n" for design in designs)


def _family(one: Mechanic) -> Iterator[HeldOutDesign]:
    for level in LEVELS[one.name]:
        yield _design(one, level, random.Random(f"held out/{one.name}/{level}"), family=one.name)


def _design(one: Mechanic, level: int, rng: random.Random, *, family: str) -> HeldOutDesign:
    low, high = RANGES[one.name]
    knobs = replace(one.draw(level, rng), low=low, high=high)
    hint = rng.choice(one.hints)
    source = one.program(knobs, hint=hint)
    seeds = tuple(FIRST_SEED + rng.randrange(2**31) for _ in range(SEEDS_A_DESIGN))
    return HeldOutDesign(family=family, level=level, source=source, hint=hint, seeds=seeds)


if __name__ == "__main__":
    SUITE.write_text(as_lines(make_suite()), encoding="utf-8")
    SIX_LEVELS.write_text(as_lines(make_levels(SIX)), encoding="utf-8")
