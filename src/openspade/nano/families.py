"""The nano mechanics as families of levels, for the control that plays given environments in a difficulty window."""

from __future__ import annotations

import random
from dataclasses import dataclass

from openspade.nano.all_mechanics import MECHANICS
from openspade.nano.mechanic import MAX_LEVEL, Mechanic
from openspade.roles.source import read_design
from openspade.types import Design


@dataclass(frozen=True, kw_only=True, slots=True)
class NanoFamily:
    """One mechanic at every level."""

    mechanic: Mechanic
    levels: int = MAX_LEVEL

    @property
    def name(self) -> str:
        return self.mechanic.name

    def design(self, level: int, rng: random.Random) -> Design:
        """A program of the mechanic with one of its good hints."""
        source = self.mechanic.program(self.mechanic.draw(level, rng), hint=rng.choice(self.mechanic.hints))
        design = read_design(source)
        assert isinstance(design, Design), design
        return design


def nano_families() -> tuple[NanoFamily, ...]:
    """Every mechanic of the nano world."""
    return tuple(NanoFamily(mechanic=mechanic) for mechanic in MECHANICS)
