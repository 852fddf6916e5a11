"""Given environments in a pool: named, drawn and leveled without loading the package they come from."""

from __future__ import annotations

import random
import sys
from importlib.util import find_spec

import pytest

from openspade.curriculum.given_families import GIVEN, Given, GivenFamily, given_designs, given_families
from openspade.errors import ConfigError
from openspade.sandbox.given_worlds import worlds_of
from openspade.types import Design

needs_rlve = pytest.mark.skipif(find_spec("Gym") is None, reason="needs the extra rlve")
HILLS = Given(
    world="openspade.given.rlve",
    names=lambda: ("Hill", "Vale", "Dale"),
    left_out={},
    levels=len,
    program=GIVEN["rlve"].program,
)
FAMILIES = tuple(GivenFamily(given=HILLS, name=name) for name in HILLS.names())


def name_and_level(design: Design) -> tuple[str, int]:
    name, _, difficulty = design.title.removeprefix("RLVE: ").rstrip(".").partition(", difficulty ")
    return name, int(difficulty) + 1


def test_a_fixed_pool_takes_families_in_turn_at_the_lowest_levels():
    drawn = [name_and_level(design) for design in given_designs(FAMILIES, 30, 2, run_seed=0)]
    assert {name for name, _ in drawn[:3]} == {"Hill", "Vale", "Dale"}
    assert [name for name, _ in drawn[3:6]] == [name for name, _ in drawn[:3]]
    assert {level for _, level in drawn} == {1, 2}


def test_a_fixed_pool_follows_the_seed_of_the_run():
    one, again, other = (given_designs(FAMILIES, 9, 4, run_seed=seed) for seed in (1, 1, 2))
    assert one == again != other


def test_no_two_designs_of_a_level_are_the_same():
    rng = random.Random(0)
    assert len({FAMILIES[0].design(1, rng).id for _ in range(100)}) == 100


def test_a_given_program_names_its_world():
    assert worlds_of(FAMILIES[0].design(3, random.Random(0)).source) == ("openspade.given.rlve",)


def test_a_source_of_no_families_is_refused():
    with pytest.raises(ConfigError, match=r"pool\.source is 'pool:starter'; families are given by .*rlve"):
        given_families("pool:starter", ())


@needs_rlve
def test_all_environments_of_rlve_are_known_without_loading_one():
    names = GIVEN["rlve"].names()
    assert len(names) == len(set(names)) == 400
    assert set(GIVEN["rlve"].left_out) < set(names)
    assert "Gym.environments" not in sys.modules


@needs_rlve
def test_what_is_left_out_may_still_be_named():
    left_out = GIVEN["rlve"].left_out
    assert not {family.name for family in given_families("rlve", ())} & left_out.keys()
    assert [family.name for family in given_families("rlve", tuple(left_out))] == list(left_out)


@needs_rlve
def test_an_unknown_family_is_told_with_names_near_it():
    with pytest.raises(ConfigError, match=r"'sorting', which none of rlve's 400 is called; did you mean Sorting"):
        given_families("rlve", ("sorting",))
