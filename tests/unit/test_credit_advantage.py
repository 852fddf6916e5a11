"""Advantages compare within a group and bring both roles to one size."""

import pytest

from openspade.config import Config
from openspade.credit.advantage import Earned, advantages, flat_group_share, root_mean_square
from openspade.credit.creditor import Creditor
from openspade.credit.outcome import Ending, conclude
from openspade.recipe import parse
from openspade.tokens import Role
from openspade.types import Outcome, Verdict
from tests.fakes import a_design, a_playtest, a_stream, a_verdict


def earned(role: Role, group: str, *rewards: float, trained: bool = True) -> list[Earned]:
    return [Earned(role=role, group=group, reward=r, streams=(a_stream(),), trained=trained) for r in rewards]


BOTH: dict[Role, float] = {"designer": 1.0, "agent": 1.0}


def test_advantages_are_centred_in_their_group():
    found = [t.advantage for t in advantages(earned("agent", "a", 0, 1, 1, 0), "none", BOTH)]
    assert found == pytest.approx([-1, 1, 1, -1])


def test_a_group_without_spread_and_a_group_of_one_are_left_out():
    items = earned("agent", "flat", 1, 1) + earned("agent", "single", 1) + earned("agent", "mixed", 0, 1)
    assert len(advantages(items, "std", BOTH)) == 2
    assert flat_group_share(items) == pytest.approx(2 / 3)


def test_each_role_has_root_mean_square_equal_to_its_weight():
    items = earned("agent", "a", 0, 1, 0) + earned("designer", "d", -50, 100, 3, 2)
    found = advantages(items, "none", {"designer": 2.0, "agent": 0.5})
    sizes = {role: root_mean_square([t.advantage for t in found if t.role == role]) for role in ("designer", "agent")}
    assert sizes == pytest.approx({"designer": 2.0, "agent": 0.5})


def test_a_role_of_weight_zero_is_not_trained():
    items = earned("agent", "a", 0, 1) + earned("designer", "d", 0, 1)
    assert {t.role for t in advantages(items, "std", {"designer": 0.0, "agent": 1.0})} == {"agent"}


def test_scaling_by_std_makes_groups_of_different_spread_equal():
    items = earned("agent", "wide", 0, 1) + earned("agent", "narrow", 0.5, 0.6)
    assert [abs(t.advantage) for t in advantages(items, "std", BOTH)] == pytest.approx([1, 1, 1, 1], rel=1e-4)


def test_an_untrained_episode_counts_in_the_mean_but_not_in_the_loss():
    items = earned("agent", "a", 1, 0) + earned("agent", "a", 0, trained=False)
    found = [t.advantage for t in advantages(items, "none", BOTH)]
    assert len(found) == 2
    assert found[0] == pytest.approx(-2 * found[1])


@pytest.mark.parametrize(
    ("ending", "rewards", "outcome", "value"),
    [
        (Ending.TERMINATED, [0, 1.0], Outcome.SOLVED, 1.0),
        (Ending.TERMINATED, [0.9, 0.4], Outcome.FAILED, 0.4),
        (Ending.TERMINATED, [0.0], Outcome.FAILED, 0.0),
        (Ending.TURNS, [0.2, 0.5], Outcome.TRUNCATED, 0.5),
        (Ending.ENVIRONMENT, [0.5], Outcome.TRUNCATED, 0.5),
        (Ending.TOKENS, [], Outcome.TRUNCATED, 0.0),
        (Ending.CONTEXT, [0.3], Outcome.TRUNCATED, 0.3),
        (Ending.CRASH, [0.7], Outcome.VOID, 0.0),
        (Ending.INFRASTRUCTURE, [0.7], Outcome.VOID, 0.0),
    ],
)
def test_every_ending_has_one_outcome(ending: Ending, rewards: list[float], outcome: Outcome, value: float):
    assert conclude(ending, rewards, "last") == (outcome, value)


@pytest.mark.parametrize(("kind", "value"), [("last", 0.25), ("max", 0.5), ("sum", 0.75)])
def test_the_return_of_an_unfinished_episode_follows_the_setting(kind: str, value: float):
    assert conclude(Ending.TURNS, [0.5, 0.25], kind)[1] == value  # type: ignore[arg-type]


def credited(config: Config, verdicts: list[Verdict]):
    playtest = a_playtest([[0, 1], [0, 0]], [[1, 1], [1, 0]])
    return Creditor(config).credit(0, verdicts, [playtest])


def test_both_roles_are_trained_and_hinted_episodes_only_measure():
    verdicts = [a_verdict(a_design()), a_verdict(None, draft="other")]
    roles = [t.role for t in credited(Config(), verdicts).trajectories]
    assert roles.count("designer") == 2
    assert roles.count("agent") == 2


def test_a_creditor_resumes_where_it_was_saved():
    first = Creditor(parse({}))
    first.credit(0, [a_verdict(a_design())], [a_playtest([[0, 1]], [[1, 1]])])
    second = Creditor(parse({}))
    second.restore(first.state())
    assert second.state() == first.state()
