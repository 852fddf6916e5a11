"""Designs that live for several cycles: their Designer is paid once, for all their plays."""

from __future__ import annotations

import pytest

from openspade.credit.creditor import Creditor
from openspade.credit.windows import Windows
from openspade.recipe import parse
from openspade.types import Playtest, Verdict
from tests.fakes import a_design, a_playtest, a_verdict

DESIGN = a_design()
VERDICTS = [a_verdict(DESIGN), a_verdict(None, draft="other")]
HARD, EASY = a_playtest([[0, 0]], [[0, 1]]), a_playtest([[1, 1]], [[1, 1]], first_seed=10)


def creditor(reuse: int, cycles: int = 100, plays: tuple[Playtest, ...] = (HARD,)) -> Creditor:
    stored: tuple[list[Verdict], tuple[Playtest, ...]] = (VERDICTS, plays)
    return Creditor(parse({"cycle": {"reuse": reuse}, "run": {"cycles": cycles}}), lambda _: stored)


def test_a_draft_is_paid_when_its_window_is_over():
    paying = creditor(2)
    assert paying.credit(0, VERDICTS, [HARD]).rewards == {}
    assert set(paying.credit(1, [], [EASY]).rewards) == {"draft", "other"}


def test_the_plays_of_all_its_cycles_count():
    windows = Windows(2, 99)
    windows.advance(0, VERDICTS, [HARD])
    (window,) = windows.advance(1, [], [EASY])
    assert window.playtests[0].episodes == HARD.episodes + EASY.episodes


def test_the_agent_does_not_wait():
    first = creditor(2).credit(0, VERDICTS, [a_playtest([[0, 1]], [[1, 1]])])
    assert {trajectory.role for trajectory in first.trajectories} == {"agent"}


def test_replays_of_designs_whose_window_is_closed_are_not_taken_in():
    windows = Windows(1, 99)
    (window,) = windows.advance(3, [], [HARD])
    assert window.playtests == ()


def test_the_last_cycle_pays_for_everything_that_is_open():
    paying = creditor(5, cycles=2)
    assert paying.credit(0, VERDICTS, [HARD]).rewards == {}
    assert set(paying.credit(1, [], [EASY]).rewards) == {"draft", "other"}


@pytest.mark.parametrize("reuse", [1, 2, 3])
def test_a_resumed_creditor_pays_as_an_undisturbed_one(reuse: int):
    undisturbed, resumed = creditor(reuse), creditor(reuse)
    undisturbed.credit(0, VERDICTS, [HARD])
    resumed.restore(undisturbed.state())
    assert resumed.credit(1, [], [EASY]) == undisturbed.credit(1, [], [EASY])


def test_what_is_learned_late_says_how_late():
    found = creditor(1).credit(0, VERDICTS, [HARD], version=3).metrics
    assert found["credit/agent_staleness_mean"] == 3
