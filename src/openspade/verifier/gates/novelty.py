"""The gate on novelty: the same program as a recent design, or one much like it, teaches nothing new.

Numbers count for sameness and not for likeness: a maze of another size is no copy, but another maze it is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from openspade.memory.search.similarity import Sketch, fingerprint, sketch_program
from openspade.types import Design, Problem
from openspade.verifier.gate import Judgement

OFF = 1.0


class DesignIndex(Protocol):
    """What the verifier asks of the memory: its latest accepted designs."""

    def seen(self, fingerprint: str) -> str | None:
        """The id of an equal program among them."""
        ...

    def nearest(self, source: str) -> tuple[str, float] | None:
        """Id and likeness of the one most like a program; None when none is near."""
        ...


class Nothing:
    """A memory without designs, for checking files."""

    def seen(self, fingerprint: str) -> str | None:
        return None

    def nearest(self, source: str) -> tuple[str, float] | None:
        return None


@dataclass(frozen=True, kw_only=True)
class Looks:
    """A design as it is compared; the sketch is None where likeness does not count."""

    design: Design
    fingerprint: str
    sketch: Sketch | None

    def likeness(self, other: Looks) -> float:
        """1 for equal programs."""
        if self.fingerprint == other.fingerprint:
            return 1.0
        return self.sketch.similarity(other.sketch) if self.sketch and other.sketch else 0.0


def looks_of(design: Design, limit: float) -> Looks:
    """What of a design is compared under this limit."""
    sketch = sketch_program(design.source) if limit < OFF else None
    return Looks(design=design, fingerprint=fingerprint(design.source), sketch=sketch)


def families(members: Sequence[Looks | None], limit: float) -> list[list[int]]:
    """Indices of members that are too much alike, also through others between them; None is like nobody."""
    grouped: list[list[int]] = []
    for index, mine in enumerate(members):
        kin = [group for group in grouped if mine and any(_too_alike(mine, members[other], limit) for other in group)]
        grouped = [group for group in grouped if group not in kin]
        grouped.append([*(other for group in kin for other in group), index])
    return [sorted(group) for group in grouped]


def novel(mine: Looks, window: DesignIndex, elders: Sequence[Looks], limit: float) -> Judgement:
    """Neither equal to nor much like a remembered design, or one accepted beside it in this cycle."""
    equals = (elder.design.id for elder in elders if elder.fingerprint == mine.fingerprint)
    equal = window.seen(mine.fingerprint) or next(equals, None)
    if equal:
        message = "The same program was accepted before, names and docstring aside: design another mechanic."
        return Problem(gate="novel", message=message, evidence=f"design {equal}")
    if limit >= OFF:
        return None
    near = [(mine.likeness(elder), elder.design.id) for elder in elders]
    remembered = window.nearest(mine.design.source)
    near += [(remembered[1], remembered[0])] if remembered else []
    likeness, design_id = max(near, default=(0.0, ""))
    if likeness > limit:
        message = f"It is {likeness:.0%} like a recent design, names, numbers and texts aside: design another mechanic."
        return Problem(gate="novel", message=message, evidence=f"design {design_id}; {limit:.0%} are allowed")
    return f"at most {likeness:.0%} like a recent design" if likeness else None


def _too_alike(one: Looks, other: Looks | None, limit: float) -> bool:
    if other is None:
        return False
    return one.fingerprint == other.fingerprint or (limit < OFF and one.likeness(other) > limit)
