"""Every outcome of a draft is a row of the reward table."""

import random

import pytest

from openspade.credit.regret import measure
from openspade.credit.reward import Surroundings, designer_reward
from openspade.settings.learning import RewardConfig
from openspade.types import DesignStats, Problem
from tests.fakes import a_design, a_playtest, a_verdict, some_stats

ACCEPTED = a_verdict(a_design())
REJECTED = a_verdict(a_design(), problem=Problem(gate="oracle_max", message="It does not win."))
UNPARSABLE = a_verdict(None, problem=Problem(gate="parses", message="No program."))


def paid(stats: DesignStats | None, kind: str = "blend", **around: float) -> float | None:
    config = RewardConfig.model_validate({"kind": kind})
    return designer_reward(ACCEPTED, stats, config, Surroundings(**around))  # type: ignore[arg-type]


def test_an_unparsable_draft_costs_most():
    assert designer_reward(UNPARSABLE, None, RewardConfig(), Surroundings()) == -1.0


def test_a_rejected_draft_costs_half():
    assert designer_reward(REJECTED, None, RewardConfig(), Surroundings()) == -0.5


def test_a_design_that_hung_in_play_costs_as_much_as_a_rejected_one():
    assert paid(some_stats(fault="hung", qualified=False)) == -0.5


def test_a_design_that_was_not_played_earns_nothing_and_is_not_compared():
    assert paid(None) is None


def test_a_design_with_too_few_pairs_earns_nothing_and_is_not_compared():
    assert paid(some_stats(qualified=False)) is None


@pytest.mark.parametrize(
    ("kind", "reward"),
    [
        ("blend", 0.6 * 1 + 0.4 * 1),
        ("gated", 1 * 1 * (1 + 0.25)),
        ("regret", 0.3),
        ("solve_rate", 1.0),
        ("uncertainty", 1.0),
        ("learning_progress", 0.2),
        ("random", 0.7),
    ],
)
def test_each_kind_pays_by_its_formula(kind: str, reward: float):
    config = RewardConfig.model_validate({"kind": kind})
    around = Surroundings(skill_solve_rates={"optimisation": 0.3}, noise=0.7, tau2=1.0)
    assert designer_reward(ACCEPTED, some_stats(regret_se=0.0), config, around) == pytest.approx(reward)


def test_a_misleading_hint_earns_less_than_nothing_beyond_its_error_and_nothing_within_it():
    for kind in ("regret", "blend", "gated"):
        assert paid(some_stats(regret=-0.4), kind) == -0.25
    assert paid(some_stats(regret=-0.4, regret_se=0.3), "regret") == 0
    assert paid(some_stats(regret=-0.4, regret_se=0.3), "blend") == pytest.approx(0.6)


def test_regret_credit_saturates():
    assert paid(some_stats(regret=0.15)) == paid(some_stats(regret=0.9))


def test_a_design_never_solved_unaided_gets_at_most_half_the_regret_credit():
    assert paid(some_stats(solve_rate=0.0, regret=1.0, learnable=0.0)) == pytest.approx(0.4 * 0.5)
    assert paid(some_stats(solve_rate=0.0, regret=1.0, learnable=0.0), "regret") == pytest.approx(0.5)


def test_a_first_design_of_a_skill_shows_no_learning_progress():
    assert paid(some_stats(), "learning_progress") == 0


def test_gated_pays_a_design_in_the_band_even_without_regret():
    assert paid(some_stats(regret=0.0), "gated") == pytest.approx(0.25)


def coin_flip(rng: random.Random) -> float:
    """Reward of a design whose outcome is chance and whose hint is useless, as measured on 8 seeds x 2 plays."""
    arm = [[[float(rng.random() < 0.5) for _ in range(2)] for _ in range(8)] for _ in range(2)]
    return paid(measure(a_playtest(arm[0], arm[1])), "gated") or 0.0


def teachable(rng: random.Random) -> float:
    """The same with a hint that lifts the solve rate from .4 to .9."""
    unaided = [[float(rng.random() < 0.4) for _ in range(2)] for _ in range(8)]
    hinted = [[float(rng.random() < 0.9) for _ in range(2)] for _ in range(8)]
    return paid(measure(a_playtest(unaided, hinted)), "gated") or 0.0


def test_on_average_a_coin_flip_earns_less_than_half_of_a_teachable_design():
    rng = random.Random(0)
    flips = sum(coin_flip(rng) for _ in range(150))
    taught = sum(teachable(rng) for _ in range(150))
    assert flips < taught / 2


def test_more_plays_do_not_make_a_zero_regret_design_a_paid_one():
    rng = random.Random(1)
    few = [measure(a_playtest(*_zero_regret(rng, seeds=4))).regret for _ in range(80)]
    many = [measure(a_playtest(*_zero_regret(rng, seeds=32))).regret for _ in range(80)]
    assert sum(max(0, r) for r in many) < sum(max(0, r) for r in few) / 2


def _zero_regret(rng: random.Random, *, seeds: int) -> tuple[list[list[float | None]], list[list[float | None]]]:
    def arm() -> list[list[float | None]]:
        return [[float(rng.random() < 0.5), float(rng.random() < 0.5)] for _ in range(seeds)]

    return arm(), arm()
