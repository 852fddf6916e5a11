"""What of the past a brief is shown, and what is played again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from openspade.memory.memory import Memory
from openspade.memory.search.recall import headline
from openspade.types import DesignStats, Negative, Problem
from tests.fakes import SKILL
from tests.unit.mechanics import OTHERS
from tests.unit.memories import (
    REVERSING,
    SORTING,
    a_cycle,
    a_document,
    design_of,
    dice,
    open_memory,
    remember,
    teachable,
    variant,
)

SORT, REVERSE = design_of(SORTING, "Sort numbers."), design_of(REVERSING, "Reverse a list.")
ECHO_WINS = Problem(gate="floor_gap", message="echoing the observation earns 1.0", evidence="seed 3")


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with open_memory(tmp_path) as opened:
        yield opened


# --- exemplars --------------------------------------------------------------------------------------


def test_the_more_teachable_design_is_shown(memory: Memory):
    remember(memory, (SORT, teachable(regret=0.02)), (REVERSE, teachable(regret=0.4)))
    (shown,) = memory.exemplars(SKILL, 1, dice())
    assert (shown.design, shown.regret, shown.solve_rate) == (REVERSE, 0.4, 0.5)


def test_a_design_outside_the_band_is_not_shown(memory: Memory):
    remember(memory, (SORT, teachable(solve_rate=1.0, learnable=0.0)))
    assert memory.exemplars(SKILL, 1, dice()) == ()


def test_a_design_of_another_skill_is_not_shown(memory: Memory):
    remember(memory, (SORT, teachable()))
    assert memory.exemplars(replace(SKILL, name="other"), 1, dice()) == ()


def test_a_design_of_the_same_document_is_shown_before_a_better_one(memory: Memory):
    document = a_document("reversing", "Turning things around.")
    remember(memory, (SORT, teachable(regret=0.4)))
    remember(memory, (REVERSE, teachable(regret=0.1)), document=document)
    assert memory.exemplars(SKILL, 1, dice(), document=document)[0].design == REVERSE


def test_a_design_of_the_same_source_is_shown_whatever_its_skill(memory: Memory):
    remember(memory, (SORT, teachable()), document=a_document("other", "x"))
    document = a_document("new", "y")
    assert memory.exemplars(replace(SKILL, name="other"), 1, dice(), document=document)[0].design == SORT
    assert memory.exemplars(SKILL, 1, dice(), document=replace(document, source="else"))[0].design == SORT


def test_a_design_whose_title_speaks_of_the_document_is_shown_before_others(memory: Memory):
    remember(memory, (SORT, teachable()), (REVERSE, teachable()))
    document = a_document("new", "How to reverse a list in place.")
    assert memory.exemplars(SKILL, 1, dice(), document=document)[0].design == REVERSE


def test_two_exemplars_are_of_different_mechanics(memory: Memory):
    alike = [(variant(number), teachable(regret=0.4)) for number in (5, 6, 7)]
    remember(memory, *alike, (REVERSE, teachable(regret=0.3)))
    assert REVERSE in [exemplar.design for exemplar in memory.exemplars(SKILL, 2, dice())]


def test_an_old_design_gives_way_to_a_newer_one(tmp_path: Path):
    with open_memory(tmp_path, half_life_cycles=1) as memory:
        remember(memory, (SORT, teachable()))
        for _ in range(6):
            remember(memory)
        remember(memory, (REVERSE, teachable()))
        assert memory.exemplars(SKILL, 1, dice())[0].design == REVERSE


def test_what_is_to_be_avoided_is_not_shown(memory: Memory):
    remember(memory, (SORT, teachable()))
    avoid = [memory.portraits(1)[0].likeness]
    assert memory.exemplars(SKILL, 1, dice(), avoid=avoid) == ()


def test_a_replay_without_hints_keeps_the_regret_that_was_measured(memory: Memory):
    remember(memory, (SORT, teachable(regret=0.4)))
    remember(memory, (SORT, teachable(regret=0.0, hinted_played=False)))
    assert memory.exemplars(SKILL, 1, dice())[0].regret == 0.4
    assert memory.last_hinted_cycle(SORT.id) == 0


# --- negatives --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stats", "reason"),
    [
        (teachable(solve_rate=0.97), "too easy: solved 97% of 1 unaided plays"),
        (
            teachable(solve_rate=0, hinted_solve_rate=0.05),
            "out of reach: solved 0% of 1 unaided plays, 5% with the hint",
        ),
        (teachable(qualified=False, fault="step hung"), "broke in play: step hung"),
    ],
)
def test_a_failure_in_play_is_told_in_words(memory: Memory, stats: DesignStats, reason: str):
    remember(memory, (SORT, stats))
    assert memory.negatives(SKILL, 1, dice()) == (Negative(mechanic="Sort numbers. [numbers 1, 9, 5]", reason=reason),)


@pytest.mark.parametrize(("gate", "kind"), [("floor_gap", "hackable"), ("oracle_max", "rejected")])
def test_a_refusal_is_told_with_its_gate(memory: Memory, gate: str, kind: str):
    problem = Problem(gate=gate, message="it is bad")
    memory.commit(a_cycle(0, refused=[(SORT, problem)]), state={}, checkpoint="")
    assert memory.negatives(SKILL, 1, dice())[0].reason == f"{kind} by {gate}: it is bad"


def test_a_failure_of_the_same_source_is_told_before_one_of_the_same_skill(memory: Memory):
    remember(memory, (SORT, teachable(solve_rate=1)))
    elsewhere = replace(SKILL, name="other")
    cycle = a_cycle(1, [(REVERSE, teachable(solve_rate=1))], skill=elsewhere, document=a_document("old", "x"))
    memory.commit(cycle, state={}, checkpoint="")
    found = memory.negatives(SKILL, 1, dice(), document=a_document("new", "y"))
    assert found[0].mechanic.startswith("Reverse")


@pytest.mark.parametrize(
    ("title", "wanted"),
    [("Sort\n    numbers.\n\nLong story.", "Sort numbers."), ("word " * 50, "word " * 40 + "..."), ("", "")],
)
def test_a_mechanic_is_told_in_one_line(title: str, wanted: str):
    assert headline(title) == wanted


def test_a_teachable_design_is_no_negative(memory: Memory):
    remember(memory, (SORT, teachable()))
    assert memory.negatives(SKILL, 1, dice()) == ()


def test_two_negatives_have_two_kinds_of_reason(memory: Memory):
    easy = [(variant(number, f"Title {number}."), teachable(solve_rate=1)) for number in (3, 4, 5)]
    memory.commit(a_cycle(0, easy, refused=[(REVERSE, ECHO_WINS)]), state={}, checkpoint="")
    assert {negative.reason.split()[0] for negative in memory.negatives(SKILL, 2, dice())} == {"too", "hackable"}


# --- replays ----------------------------------------------------------------------------------------


def test_a_design_that_is_always_or_never_solved_is_not_replayed(memory: Memory):
    remember(memory, (SORT, teachable(solve_rate=1)), (REVERSE, teachable(solve_rate=0)))
    assert memory.replays(2, 1, dice()) == ()


def test_replays_are_drawn_without_replacement(memory: Memory):
    designs = [design_of(source, f"Game {number}.") for number, source in enumerate(OTHERS)]
    remember(memory, *[(design, teachable()) for design in designs])
    drawn = memory.replays(6, 1, dice())
    assert len({design.id for design in drawn}) == 6


def test_a_novel_design_is_replayed_more_often_than_a_copy(memory: Memory):
    remember(memory, *[(variant(number), teachable()) for number in (5, 6)], (REVERSE, teachable()))
    rng = dice()
    first = [memory.replays(1, 1, rng)[0] for _ in range(200)]
    assert first.count(REVERSE) > 3 * first.count(variant(6))


def test_the_same_draw_gives_the_same_replays(memory: Memory):
    remember(memory, *[(variant(number), teachable()) for number in (5, 6, 7)])
    assert memory.replays(2, 1, dice()) == memory.replays(2, 1, dice())
