"""Environments of other projects in a pool: what `pool.source` may name beside designs that are there already."""

from __future__ import annotations

import difflib
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from openspade.chance import named_rng
from openspade.errors import ConfigError
from openspade.given import rg_pool, rlve_pool
from openspade.roles.source import read_design
from openspade.sandbox.given_worlds import WORLDS
from openspade.types import Design

UNBOUNDED = 10**9
_CHOICES = 10**9


@dataclass(frozen=True, kw_only=True, slots=True)
class Given:
    """One project's environments: the families by name, those that a pool leaves out unless they are named, and the
    program of a family at a level, where `choice` is any number."""

    world: str
    names: Callable[[], Sequence[str]]
    left_out: Mapping[str, str]
    levels: Callable[[str], int]
    program: Callable[[str, int, int], str]


GIVEN = {
    "reasoning_gym": Given(
        world="openspade.given.reasoning_gym",
        names=rg_pool.names,
        left_out={},
        levels=rg_pool.levels,
        program=rg_pool.program,
    ),
    "rlve": Given(
        world="openspade.given.rlve",
        names=rlve_pool.names,
        left_out=rlve_pool.UNMADE,
        levels=lambda _: UNBOUNDED,
        program=rlve_pool.program,
    ),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class GivenFamily:
    """One given environment at every level."""

    given: Given
    name: str

    @property
    def levels(self) -> int:
        return self.given.levels(self.name)

    def design(self, level: int, rng: random.Random) -> Design:
        """The program of that level; no two are the same, so that each is measured by its own plays."""
        design = read_design(self.given.program(self.name, level, rng.randrange(_CHOICES)))
        assert isinstance(design, Design), design
        return design


def given_families(source: str, wanted: Sequence[str]) -> tuple[GivenFamily, ...]:
    """The families named, or all that a pool does not leave out.

    Raises ConfigError for a source or a name that is not known, SandboxError where the package is not installed.
    """
    if source not in GIVEN:
        raise ConfigError(f"pool.source is {source!r}; families are given by {', '.join(GIVEN)}, or nano's own by ''")
    given = GIVEN[source]
    WORLDS[given.world].places(given.world)
    known = given.names()
    for name in wanted:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=3, cutoff=0.4)
            meant = f"; did you mean {', '.join(near)}?" if near else ""
            raise ConfigError(f"pool.families names {name!r}, which none of {source}'s {len(known)} is called{meant}")
    chosen = wanted or [name for name in known if name not in given.left_out]
    return tuple(GivenFamily(given=given, name=name) for name in chosen)


def given_designs(families: Sequence[GivenFamily], size: int, levels: int, run_seed: int) -> list[Design]:
    """`size` designs: the families in turn, in an order drawn once, each at a level drawn evenly from the lowest."""
    rng = named_rng(run_seed, 0, "given")
    turns = list(families)
    rng.shuffle(turns)
    drawn = [turns[number % len(turns)] for number in range(size)]
    return [family.design(rng.randint(1, min(levels, family.levels)), rng) for family in drawn]
