"""What plays say of a design beyond its figures, and what that costs its Designer."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from openspade.credit.flags import HINT_HURTS, HINT_NEEDED, LUCK, SATURATED, measured_flags
from openspade.credit.regret import measure
from openspade.credit.reward import Surroundings, designer_reward
from openspade.settings.learning import RewardConfig
from openspade.types import Draft, Episode, Outcome, Playtest, Verdict
from tests.fakes import a_brief
from tests.unit.memories import SORTING, design_of

DESIGN = design_of(SORTING)


def playtest(unaided: list[list[int]], hinted: list[list[int]], blind: float | None = None) -> Playtest:
    """Solved or not, by seed and play."""
    episodes = tuple(
        Episode(
            design_id=DESIGN.id,
            seed=seed,
            play=play,
            hinted=is_hinted,
            outcome=Outcome.SOLVED if won else Outcome.FAILED,
            return_=float(won),
        )
        for is_hinted, arm in ((False, unaided), (True, hinted))
        for seed, plays in enumerate(arm)
        for play, won in enumerate(plays)
    )
    return Playtest(design=DESIGN, episodes=episodes, blind_return=blind)


NEVER, ALWAYS, HALF = [[0, 0]] * 4, [[1, 1]] * 4, [[0, 1]] * 4
ROWS = {
    "only with the hint": (playtest(NEVER, ALWAYS), (HINT_NEEDED,)),
    "less with the hint": (playtest(HALF, NEVER), (HINT_HURTS,)),
    "as much whatever is done": (playtest(HALF, HALF, 0.5), (LUCK,)),
    "always": (playtest(ALWAYS, ALWAYS), (SATURATED,)),
    "never": (playtest(NEVER, NEVER), ()),
    "a skill": (playtest(HALF, ALWAYS, 0.0), ()),
    "a skill whose hint is worth nothing": (playtest(HALF, HALF, 0.1), ()),
    "a hint within its error": (playtest(HALF, [[0, 1], [0, 0], [1, 1], [0, 1]]), ()),
    "one pair": (playtest([[1]], [[0]]), ()),
}


@pytest.mark.parametrize(("played", "flags"), ROWS.values(), ids=ROWS)
def test_a_playtest_raises_its_flags(played: Playtest, flags: tuple[str, ...]) -> None:
    assert measured_flags(measure(played)) == flags


def test_a_playtest_that_does_not_count_raises_none() -> None:
    assert measured_flags(measure(replace(playtest(HALF, NEVER), fault="hung"))) == ()


def reward(played: Playtest, kind: str) -> float | None:
    draft = Draft(id="d", brief=a_brief(), text="", design=DESIGN)
    config = RewardConfig.model_validate({"kind": kind})
    return designer_reward(Verdict(draft=draft), measure(played), config, Surroundings(noise=0.7))


@pytest.mark.parametrize("kind", ["blend", "gated", "regret"])
def test_a_hint_that_hurts_earns_less_than_none_and_luck_earns_nothing(kind: str) -> None:
    assert reward(playtest(HALF, NEVER), kind) == -0.25
    assert reward(playtest(HALF, HALF, 0.5), kind) == 0.0
    skilled = reward(playtest(HALF, ALWAYS, 0.0), kind)
    assert skilled is not None and skilled > 0


@pytest.mark.parametrize("kind", ["solve_rate", "uncertainty", "random"])
def test_kinds_that_do_not_look_at_the_hint_do_not_look_at_flags(kind: str) -> None:
    assert reward(playtest(HALF, NEVER), kind) == reward(playtest(HALF, HALF), kind)


def test_a_coin_is_mostly_called_luck_and_a_skill_hardly_ever() -> None:
    rng = random.Random(5)

    def arm(chance: float) -> list[list[int]]:
        return [[int(rng.random() < chance) for _ in range(2)] for _ in range(4)]

    def share(unaided: float, hinted: float, blind: float) -> float:
        tries = [
            playtest(arm(unaided), arm(hinted), sum(sum(row) for _ in range(3) for row in arm(blind)) / 24)
            for _ in range(400)
        ]
        return sum(LUCK in measured_flags(measure(one)) for one in tries) / len(tries)

    assert share(0.5, 0.5, 0.5) > 0.5
    assert share(0.5, 0.5, 0.05) < 0.02
    assert share(0.5, 0.9, 0.1) < 0.01
