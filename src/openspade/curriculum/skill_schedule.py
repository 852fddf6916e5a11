"""Whose turn it is: the skills that a cycle's briefs ask for, in rotation or by how much is being learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, pvariance
from typing import Protocol

from openspade.chance import named_rng
from openspade.curriculum.skills import load_skills, skills_of_cycle
from openspade.settings.worlds import CurriculumConfig
from openspade.types import Skill

PROGRESS_CYCLES = 40
"""Progress is the difference between the later and the earlier half of so many cycles."""
FEWEST_PLAYTESTS = 4
"""With fewer in a half, a skill's progress is unknown; it is then tried as often as the best."""
EVEN_SHARE = 0.25
"""Share of the turns that goes to all skills alike, so that none is ever forgotten."""


class Turns(Protocol):
    """Says what a cycle's briefs are about."""

    def of_cycle(self, cycle: int, briefs: int) -> list[Skill]:
        """One skill a brief."""
        ...


class Past(Protocol):
    """What the memory knows of skills."""

    def solve_rates(self, cycles: range) -> Mapping[str, Sequence[tuple[int, float]]]:
        """By skill: cycle and unaided solve rate of each sound playtest of those cycles."""
        ...


class Rotation:
    """All skills equally often, `per_cycle` of them in each cycle."""

    def __init__(self, skills: Sequence[Skill], per_cycle: int, run_seed: int) -> None:
        self._skills, self._per_cycle, self._run_seed = tuple(skills), per_cycle, run_seed

    def of_cycle(self, cycle: int, briefs: int) -> list[Skill]:
        turn = skills_of_cycle(self._skills, self._per_cycle, self._run_seed, cycle)
        return [turn[place % len(turn)] for place in range(briefs)]


class ByProgress:
    """Skills whose solve rate has moved lately come up more often. It has no state: all is read from the memory."""

    def __init__(self, skills: Sequence[Skill], per_cycle: int, run_seed: int, past: Past) -> None:
        self._skills, self._per_cycle, self._run_seed = tuple(skills), per_cycle, run_seed
        self._past = past

    def of_cycle(self, cycle: int, briefs: int) -> list[Skill]:
        rng = named_rng(self._run_seed, cycle, "skills")
        weights = self.weights(cycle)
        # Exponential clocks: the earliest are a draw without replacement, each in proportion to its weight.
        order = sorted(self._skills, key=lambda skill: rng.expovariate(1.0) / weights[skill.name])
        turn = order[: min(self._per_cycle, briefs)]
        rest = rng.choices(turn, [weights[skill.name] for skill in turn], k=briefs - len(turn))
        return [*turn, *rest]

    def weights(self, cycle: int) -> dict[str, float]:
        """Each skill's share of the turns, by name; never 0."""
        played = self._past.solve_rates(range(cycle - PROGRESS_CYCLES, cycle))
        middle = cycle - PROGRESS_CYCLES // 2
        known = {skill.name: progress(played.get(skill.name, ()), middle) for skill in self._skills}
        return shares(known)


def progress(played: Sequence[tuple[int, float]], middle: int) -> float | None:
    """By how much the solve rate from cycle `middle` on differs from before, less its standard error; None: unknown."""
    earlier = [rate for cycle, rate in played if cycle < middle]
    later = [rate for cycle, rate in played if cycle >= middle]
    if min(len(earlier), len(later)) < FEWEST_PLAYTESTS:
        return None
    error = (pvariance(earlier) / len(earlier) + pvariance(later) / len(later)) ** 0.5
    return max(0.0, abs(fmean(later) - fmean(earlier)) - error)


def shares(known: Mapping[str, float | None]) -> dict[str, float]:
    """Progress as shares of the turns: most in proportion, the rest evenly; unknown counts as the most there is."""
    most = max((value for value in known.values() if value is not None), default=0.0) or 1.0
    moved = {name: most if value is None else value for name, value in known.items()}
    total = sum(moved.values())
    even = 1 / len(known)
    return {
        name: EVEN_SHARE * even + (1 - EVEN_SHARE) * (value / total if total else even) for name, value in moved.items()
    }


def choose_turns(config: CurriculumConfig, past: Past, run_seed: int) -> Turns:
    """What `curriculum.skill_weights` names."""
    skills = load_skills(config)
    if config.skill_weights == "learning_progress":
        return ByProgress(skills, config.skills_per_cycle, run_seed, past)
    return Rotation(skills, config.skills_per_cycle, run_seed)
