"""Which skills a cycle's briefs ask for when turns follow learning progress."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from openspade.curriculum.briefs import Curriculum
from openspade.curriculum.skill_schedule import EVEN_SHARE, ByProgress, Rotation, progress, shares
from openspade.settings.worlds import CurriculumConfig, CycleConfig
from openspade.types import Skill
from tests.fakes import SKILL
from tests.unit.memories import a_cycle, open_memory, remember, teachable, variant

MOVING, STILL, NEW = (replace(SKILL, name=name) for name in ("moving", "still", "new"))
BY_PROGRESS = CurriculumConfig(skill_weights="learning_progress", skills=("optimisation", "causal inference"))


class Forty:
    """Forty cycles in which one skill came to be solved more and more, another half the time, a third not at all."""

    def solve_rates(self, cycles: range) -> Mapping[str, Sequence[tuple[int, float]]]:
        return {
            "moving": [(cycle, 0.2 if cycle < 20 else 0.8) for cycle in cycles],
            "still": [(cycle, 0.5) for cycle in cycles],
        }


class Nothing:
    def solve_rates(self, cycles: range) -> Mapping[str, Sequence[tuple[int, float]]]:
        return {}


def turns(*skills: Skill, per_cycle: int = 1, seed: int = 1) -> ByProgress:
    return ByProgress(skills, per_cycle, seed, Forty())


def test_a_skill_whose_solve_rate_moves_has_the_larger_share_and_none_is_forgotten():
    assert turns(MOVING, STILL).weights(40) == {"moving": 1 - EVEN_SHARE / 2, "still": EVEN_SHARE / 2}


def test_briefs_follow_the_shares():
    asked = Counter(turns(MOVING, STILL, seed=seed).of_cycle(40, 1)[0].name for seed in range(400))
    assert 0.8 < asked["moving"] / 400 < 0.95
    assert asked["still"] > 0


def test_a_skill_of_which_little_is_known_counts_as_the_most_promising():
    weights = turns(MOVING, STILL, NEW).weights(40)
    assert weights["new"] == weights["moving"] > weights["still"]


def test_before_anything_was_played_all_skills_are_alike():
    assert ByProgress((MOVING, STILL), 1, 1, Nothing()).weights(0) == {"moving": 0.5, "still": 0.5}


@pytest.mark.parametrize(("per_cycle", "different"), [(1, 1), (2, 2), (9, 3)])
def test_a_cycle_asks_for_as_many_skills_as_it_should(per_cycle: int, different: int):
    for seed in range(20):
        asked = turns(MOVING, STILL, NEW, per_cycle=per_cycle, seed=seed).of_cycle(40, 8)
        assert (len(asked), len({skill.name for skill in asked})) == (8, different)


def test_progress_is_what_lies_beyond_its_noise_in_either_direction():
    noisy = [(cycle, cycle % 2) for cycle in range(20)]
    assert progress(noisy, 10) == 0
    assert progress([(cycle, 0.1 if cycle < 10 else 0.6) for cycle in range(20)], 10) == pytest.approx(0.5)
    assert progress([(cycle, 0.6 if cycle < 10 else 0.1) for cycle in range(20)], 10) == pytest.approx(0.5)
    assert progress(noisy[:12], 10) is None


def test_shares_are_even_when_nothing_moves():
    assert shares({"a": 0.0, "b": 0.0}) == {"a": 0.5, "b": 0.5}


def test_rotation_gives_each_brief_of_a_cycle_its_skill():
    asked = Rotation((MOVING, STILL, NEW), 2, 1).of_cycle(3, 5)
    assert asked[0] == asked[2] == asked[4] != asked[1] == asked[3]


def test_solve_rates_are_told_by_the_skill_that_was_asked_for(tmp_path: Path):
    with open_memory(tmp_path) as memory:
        remember(memory, (variant(5), teachable(solve_rate=0.2)), (variant(6), teachable(qualified=False)))
        memory.commit(a_cycle(1, [(variant(7), teachable(solve_rate=0.4))], skill=NEW), state={}, checkpoint="")
        assert memory.solve_rates(range(-38, 2)) == {SKILL.name: [(0, 0.2)], "new": [(1, 0.4)]}
        assert memory.solve_rates(range(1, 2)) == {"new": [(1, 0.4)]}


def test_a_resumed_run_asks_for_the_same_skills(tmp_path: Path):
    def briefs():
        with open_memory(tmp_path) as memory:
            return Curriculum(BY_PROGRESS, CycleConfig(briefs=6), memory, None, 1).briefs(1)

    with open_memory(tmp_path) as memory:
        remember(memory, *[(variant(number), teachable(solve_rate=number / 20)) for number in range(2, 20)])
    assert briefs() == briefs()
