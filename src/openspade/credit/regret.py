"""What a playtest showed: solve rates, and the regret as a paired difference over seeds (docs/algorithm.md §2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, stdev

from openspade.settings.learning import RewardConfig
from openspade.types import DesignStats, Episode, Outcome, Playtest

TAU2_FLOOR = 0.01
"""Least between-design variance of the regret (ALGORITHM §2)."""


def measure(playtest: Playtest) -> DesignStats:
    """Statistics of one design from the pairs of plays that are void in neither arm.

    A design whose hinted arm was not played has regret 0 and `hinted_played` False.
    `qualified` is False after a fault in play or when fewer than half of the pairs are left.
    """
    asked, pairs = _pairs(playtest.episodes)
    seeds = sorted({seed for seed, _ in pairs})
    by_seed = [[pair for (seed, _), pair in sorted(pairs.items()) if seed == wanted] for wanted in seeds]
    unaided = [fmean(u.return_ for u, _ in plays) for plays in by_seed]
    solved = tuple(fmean(u.outcome is Outcome.SOLVED for u, _ in plays) for plays in by_seed)
    hinted_played = any(episode.hinted for episode in playtest.episodes)
    differences = [[h.return_ - u.return_ for u, h in plays if h] for plays in by_seed] if hinted_played else []
    hinted = [fmean(h.return_ for _, h in plays if h) for plays in by_seed] if hinted_played else []
    hinted_solved = (
        [fmean(h.outcome is Outcome.SOLVED for _, h in plays if h) for plays in by_seed] if hinted_played else []
    )
    return DesignStats(
        design_id=playtest.design.id,
        pairs=len(pairs),
        solve_rate=_mean(solved),
        hinted_solve_rate=_mean(hinted_solved),
        unaided_return=_mean(unaided),
        hinted_return=_mean(hinted),
        regret=_mean([fmean(plays) for plays in differences]),
        regret_se=_standard_error(differences),
        learnable=_mean([0 < rate < 1 for rate in solved]),
        seed_solve_rates=solved,
        hinted_played=hinted_played,
        qualified=not playtest.fault and bool(pairs) and 2 * len(pairs) >= asked,
        fault=playtest.fault,
        blind_return=playtest.blind_return,
    )


def band(solve_rate: float, config: RewardConfig) -> float:
    """1 inside the target band of the unaided solve rate, falling linearly to 0 over `ramp` on either side."""
    outside = max(config.band_low - solve_rate, solve_rate - config.band_high, 0.0)
    return max(0.0, 1.0 - outside / config.ramp)


def shrink(regret: float, standard_error: float, tau2: float) -> float:
    """Empirical-Bayes mean of a regret: a noisy one is drawn towards 0."""
    return regret * tau2 / (tau2 + standard_error**2)


def between_design_variance(regrets: Sequence[float], standard_errors: Sequence[float]) -> float:
    """tau^2: variance of the regret between designs less what noise explains, at least `TAU2_FLOOR`."""
    if len(regrets) < 2:
        return TAU2_FLOOR
    return max(stdev(regrets) ** 2 - fmean(error**2 for error in standard_errors), TAU2_FLOOR)


def _pairs(episodes: Sequence[Episode]) -> tuple[int, Mapping[tuple[int, int], tuple[Episode, Episode | None]]]:
    """Pairs asked for, and (seed, play) -> (unaided, hinted or None) for those void in neither arm."""
    unaided = {(e.seed, e.play): e for e in episodes if not e.hinted}
    hinted = {(e.seed, e.play): e for e in episodes if e.hinted}
    keys = unaided.keys() & hinted.keys() if hinted else unaided.keys()
    whole = {
        key: (unaided[key], hinted.get(key))
        for key in keys
        if all(arm[key].outcome is not Outcome.VOID for arm in (unaided, hinted) if key in arm)
    }
    return len(unaided.keys() | hinted.keys()), whole


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else 0.0


def _standard_error(differences: Sequence[Sequence[float]]) -> float:
    """Of the mean paired difference: over seeds, or over plays where there is one seed; 0 for a single value."""
    values = (
        [fmean(plays) for plays in differences] if len(differences) > 1 else [d for plays in differences for d in plays]
    )
    return stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0
