"""What a nano program says of itself, and the suite that the experiments are measured with."""

from __future__ import annotations

import random

import pytest
from benchmarks.nano_reading import level_of
from benchmarks.nano_suites import SIX, SIX_LEVELS, as_lines, make_levels

from openspade.nano.all_mechanics import MECHANICS
from openspade.nano.families import nano_families
from openspade.nano.mechanic import MAX_LEVEL, Mechanic
from tests.unit.memories import SORTING, design_of


@pytest.mark.parametrize("mechanic", MECHANICS, ids=lambda one: one.name)
def test_every_level_of_a_mechanic_is_read_back_from_its_title(mechanic: Mechanic):
    family = next(one for one in nano_families() if one.name == mechanic.name)
    designs = [family.design(level, random.Random(draw)) for level in range(1, MAX_LEVEL + 1) for draw in range(20)]
    expected = [(mechanic.name, level) for level in range(1, MAX_LEVEL + 1) for _ in range(20)]
    assert [level_of(design) for design in designs] == expected


def test_a_program_of_no_mechanic_has_no_level():
    assert level_of(design_of(SORTING, title="Sail a boat.")) is None


def test_the_experiments_suite_is_what_its_definition_makes():
    assert SIX_LEVELS.read_text(encoding="utf-8") == as_lines(make_levels(SIX))
