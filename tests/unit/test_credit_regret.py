"""Regret is a paired difference over seeds."""

import random

import pytest

from openspade.credit.regret import TAU2_FLOOR, band, between_design_variance, measure, shrink
from openspade.settings.learning import RewardConfig
from tests.fakes import a_playtest


def test_regret_is_the_mean_over_seeds_of_hinted_minus_unaided_return():
    stats = measure(a_playtest([[0, 1], [0, 0]], [[1, 1], [1, 0]]))
    assert stats.regret == pytest.approx(0.5)
    assert stats.solve_rate == pytest.approx(0.25)
    assert stats.hinted_solve_rate == pytest.approx(0.75)


def test_equal_seeds_cancel_the_luck_of_the_instance():
    easy_and_hard = measure(a_playtest([[1, 1], [0, 0]], [[1, 1], [0, 0]]))
    assert easy_and_hard.regret == 0
    assert easy_and_hard.regret_se == 0


def test_standard_error_is_taken_over_seeds():
    stats = measure(a_playtest([[0], [0], [0], [0]], [[1], [1], [0], [0]]))
    assert stats.regret_se == pytest.approx(0.5773503 / 2)


def test_one_seed_takes_its_standard_error_over_plays():
    stats = measure(a_playtest([[0, 0, 0, 0]], [[1, 1, 0, 0]]))
    assert stats.regret_se == pytest.approx(0.5773503 / 2)


def test_a_half_trivial_half_impossible_design_is_not_learnable():
    stats = measure(a_playtest([[1, 1], [0, 0]], [[1, 1], [0, 0]]))
    assert stats.solve_rate == 0.5
    assert stats.learnable == 0


def test_a_void_episode_drops_its_pair_from_both_arms():
    stats = measure(a_playtest([[None, 0], [0, 0]], [[1, 1], [0, 0]]))
    assert stats.pairs == 3
    assert stats.hinted_return == pytest.approx(0.5)


def test_a_design_with_fewer_than_half_its_pairs_is_not_qualified():
    assert measure(a_playtest([[None, 0], [0, 0]], [[1, None], [0, 0]])).qualified
    assert not measure(a_playtest([[None, 0], [None, 0]], [[1, None], [0, 0]])).qualified


def test_a_replay_without_a_hinted_arm_has_no_regret():
    stats = measure(a_playtest([[1, 0]], []))
    assert (stats.hinted_played, stats.regret, stats.solve_rate) == (False, 0, 0.5)


def test_permuting_plays_changes_nothing():
    playtest = a_playtest([[1, 0, 0], [0, 1, 1]], [[1, 1, 0], [1, 1, 1]])
    shuffled = list(playtest.episodes)
    random.Random(3).shuffle(shuffled)
    assert measure(type(playtest)(design=playtest.design, episodes=tuple(shuffled))) == measure(playtest)


@pytest.mark.parametrize(
    ("rate", "value"), [(0.0, 0), (0.15, 0), (0.275, 0.5), (0.4, 1), (0.6, 1), (0.725, 0.5), (0.85, 0), (1.0, 0)]
)
def test_the_band_falls_linearly_on_either_side(rate: float, value: float):
    assert band(rate, RewardConfig()) == pytest.approx(value)


def test_shrinking_draws_a_noisy_regret_to_zero_and_leaves_a_sure_one():
    assert shrink(0.3, 0.0, 0.01) == pytest.approx(0.3)
    assert shrink(0.3, 0.1, 0.01) == pytest.approx(0.15)


def test_between_design_variance_takes_off_the_noise_and_keeps_a_floor():
    assert between_design_variance([0.0, 1.0], [0.1, 0.1]) == pytest.approx(0.5 - 0.01)
    assert between_design_variance([0.2, 0.2], [0.3, 0.3]) == TAU2_FLOOR
    assert between_design_variance([0.2], [0.0]) == TAU2_FLOOR
