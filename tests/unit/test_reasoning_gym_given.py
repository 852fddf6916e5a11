"""Reasoning Gym as far as it needs no package: answers, our own oracles, the pool's table, the frozen suite."""

from __future__ import annotations

import doctest
from collections import Counter
from dataclasses import replace

import pytest

from openspade.curriculum.given_families import GIVEN
from openspade.evaluation.evaluate import score_of
from openspade.evaluation.strict import strict_score
from openspade.evaluation.suites import HeldOutTask, read_suite
from openspade.given import rg_answers, rg_oracles, rg_pool
from openspade.given.rg_answers import is_harmless, is_right_strictly
from openspade.given.rg_oracles import oracle_answer
from openspade.given.verdicts import LOOSE
from openspade.roles.source import read_design
from openspade.types import Action, Design, Episode, Observation, Playtest, Turn
from tests.fakes import a_design, an_episode

RG_HARD_SHA256 = "4de04756864f5c1a22c5d90e62e1fe6d7a14328561702b7441bba1d470661c50"
# B stands in the way of the red car A and must go down, for which C gives way.
BOARD = "".join(["oooooo", "oooBoo", "AAoBoo", "oooBoo", "ooCCoo", "oooooo"])


@pytest.mark.parametrize("module", [rg_answers, rg_oracles])
def test_the_examples_in_docstrings_hold(module: object):
    assert doctest.testmod(module).failed == 0  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("dataset", "answer"),
    [
        ("simple_integration", "(x**2 + 1)**3/3 + C"),
        ("intermediate_integration", "exp(x)*sin(x)/2 - sqrt(x**3) + C"),
        ("polynomial_multiplication", "-12*x**24*y + 3"),
        ("string_insertion", "ABCDE"),
        ("spiral_matrix", "1 2 3"),
        ("n_queens", "_ Q\nQ _"),
        ("lcm", "__import__('os')"),
    ],
)
def test_an_answer_that_only_says_something_reaches_its_scorer(dataset: str, answer: str):
    assert is_harmless(dataset, answer)


@pytest.mark.parametrize(
    ("dataset", "answer"),
    [
        ("countdown", "9**9**9"),
        ("countdown", "9**(9*9*9*9)"),
        ("puzzle24", "((9**9)**9)**9"),
        ("simple_integration", "integrate(x, x)"),
        ("simple_integration", "x.func"),
        ("polynomial_multiplication", "'x' * 10**9"),
        ("n_queens", "__import__('os').getpid()"),
        ("binary_matrix", "[[0]] * 10**9"),
        ("spiral_matrix", "[x for x in (1,)]"),
        ("puzzle24", "+" * 10_001),
    ],
)
def test_an_answer_that_does_something_does_not(dataset: str, answer: str):
    assert not is_harmless(dataset, answer)


def test_a_strict_reading_asks_for_the_numbers_that_were_given():
    entry = {"metadata": {"numbers": [6, 4, 1, 1]}}
    assert is_right_strictly("puzzle24", "6 * 4 * 1 * 1", entry)
    assert not is_right_strictly("puzzle24", "6 * 4 + 1 - 1 + 0", entry)


def test_the_red_car_finds_its_way_out():
    answer = oracle_answer("rush_hour", {"answer": None, "metadata": {"board_config": BOARD}})
    assert answer.split() in (["C-2", "B+2", "A+4"], ["C+1", "B+2", "A+4"], ["C-1", "B+2", "A+4"])


def test_a_walled_in_car_has_none():
    board = "o" * 12 + "AAxooo" + "o" * 18
    with pytest.raises(ValueError, match="no way out"):
        oracle_answer("rush_hour", {"answer": None, "metadata": {"board_config": board}})


def test_a_pool_never_has_a_dataset_whose_scorer_takes_anything():
    assert {"game_of_life_halting", "coin_flip", "codeio", "composite"}.isdisjoint(GIVEN["reasoning_gym"].names())


def test_every_program_of_the_pool_reads_as_a_design():
    designs = [read_design(rg_pool.program(name, rg_pool.levels(name), 1)) for name in rg_pool.names()]
    assert len(designs) >= 80
    assert all(isinstance(design, Design) and design.max_turns == 1 for design in designs)


def won(seed: int, said: str) -> Episode:
    turn = Turn(reply="x", action=Action(text="x"), observation=Observation(text=said), reward=1.0)
    return replace(an_episode(1.0, seed=seed), turns=(turn,))


def test_what_is_won_loosely_is_lost_strictly():
    task = HeldOutTask(family="Logic", level=1, design=a_design(), seeds=(0, 1), name="halting", loose=True)
    episodes = tuple(won(seed, said) for seed, said in enumerate(("Right.", LOOSE)))
    playtests = [Playtest(design=task.design, episodes=episodes)]
    strict = strict_score([task], playtests, hinted=False)
    assert strict is not None
    assert (score_of([task], playtests).mean, strict.mean) == (1.0, 0.5)


def test_a_suite_without_holes_has_no_strict_score():
    task = HeldOutTask(family="sums", level=1, design=a_design(), seeds=(0,))
    assert strict_score([task], [Playtest(design=task.design, episodes=())], hinted=False) is None


def test_the_hard_suite_is_the_frozen_one():
    suite = read_suite("rg_hard")
    assert suite.digest == RG_HARD_SHA256
    assert Counter(task.family for task in suite.tasks) == {"Math": 31, "Algorithmic": 36, "Cognition": 24, "Logic": 9}
    assert {len(task.seeds) for task in suite.tasks} == {4}
    assert len({task.name for task in suite.tasks}) == 100
    assert {task.name for task in suite.tasks if task.loose} == {"game_of_life_halting", "puzzle24"}
