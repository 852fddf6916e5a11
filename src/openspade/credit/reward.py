"""What a draft earns the Designer: every outcome is a row of one function (docs/algorithm.md §2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from openspade.credit.flags import HINT_HURTS, LUCK, measured_flags
from openspade.credit.regret import TAU2_FLOOR, band, shrink
from openspade.settings.learning import RewardConfig
from openspade.types import DesignStats, Verdict

PAY_REGRET = frozenset({"blend", "gated", "regret"})
"""Kinds that look at the hint's worth: only they look at the flags."""
GATED_FLOOR = 0.25
"""Share of `gated`'s pay that needs no regret, so that a design in the band is never worth nothing (ALGORITHM §2)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Surroundings:
    """What a reward may look at beside the design itself: tau^2, each skill's slow solve rate, this draft's noise."""

    tau2: float = TAU2_FLOOR
    skill_solve_rates: Mapping[str, float] = field(default_factory=dict)
    noise: float = 0.0


def designer_reward(
    verdict: Verdict, stats: DesignStats | None, config: RewardConfig, around: Surroundings
) -> float | None:
    """The raw reward of one draft; None when too little of its playtest is left to judge it by."""
    if verdict.draft.design is None:
        return config.unparsable
    if not verdict.accepted:
        return config.rejected
    if stats is None:
        return None
    if stats.fault:
        return config.rejected
    if not stats.qualified:
        return None
    flags = measured_flags(stats) if config.kind in PAY_REGRET else ()
    if HINT_HURTS in flags:
        return config.rejected / 2
    if LUCK in flags:
        return 0.0
    return _KINDS[config.kind](stats, config, around, verdict.draft.design.skill)


def _regret_credit(stats: DesignStats, config: RewardConfig, around: Surroundings, *, shrunk: bool) -> float:
    """clip(regret / rho, 0, 1), halved at most where nothing is ever solved unaided: that may be sabotage."""
    regret = shrink(stats.regret, stats.regret_se, around.tau2) if shrunk else stats.regret
    credit = min(max(regret / config.regret_scale, 0.0), 1.0)
    return min(credit, 0.5) if stats.solve_rate == 0 else credit


def _blend(stats: DesignStats, config: RewardConfig, around: Surroundings, _skill: str) -> float:
    credit = _regret_credit(stats, config, around, shrunk=config.estimator == "shrunk")
    return config.band_weight * band(stats.solve_rate, config) + config.regret_weight * credit


def _gated(stats: DesignStats, config: RewardConfig, around: Surroundings, _skill: str) -> float:
    teachable = band(stats.solve_rate, config) * stats.learnable
    return teachable * (_regret_credit(stats, config, around, shrunk=True) + GATED_FLOOR)


def _regret(stats: DesignStats, config: RewardConfig, around: Surroundings, _skill: str) -> float:
    regret = shrink(stats.regret, stats.regret_se, around.tau2) if config.estimator == "shrunk" else stats.regret
    regret = min(max(regret, 0.0), 1.0)
    return regret / 2 if stats.solve_rate == 0 else regret


def _solve_rate(stats: DesignStats, config: RewardConfig, _around: Surroundings, _skill: str) -> float:
    return band(stats.solve_rate, config)


def _uncertainty(stats: DesignStats, _config: RewardConfig, _around: Surroundings, _skill: str) -> float:
    return 4 * stats.solve_rate * (1 - stats.solve_rate)


def _learning_progress(stats: DesignStats, _config: RewardConfig, around: Surroundings, skill: str) -> float:
    return abs(stats.solve_rate - around.skill_solve_rates.get(skill, stats.solve_rate))


def _random(_stats: DesignStats, _config: RewardConfig, around: Surroundings, _skill: str) -> float:
    return around.noise


_KINDS: Mapping[str, Callable[[DesignStats, RewardConfig, Surroundings, str], float]] = {
    "blend": _blend,
    "gated": _gated,
    "regret": _regret,
    "solve_rate": _solve_rate,
    "uncertainty": _uncertainty,
    "learning_progress": _learning_progress,
    "random": _random,
}
