"""Intervals by resampling, always with the same draws, so that a table is the same twice."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

ROUNDS = 1000


@dataclass(frozen=True, kw_only=True, slots=True)
class Estimate:
    """A mean with its 95 % percentile bootstrap interval; nan where there are too few values to say."""

    mean: float
    low: float
    high: float


def bootstrap_interval(values: Sequence[float]) -> tuple[float, float]:
    """95 % interval of the mean; (0, 0) for no values."""
    if not values:
        return 0.0, 0.0
    rng = random.Random(len(values))
    return _middle([fmean(rng.choices(values, k=len(values))) for _ in range(ROUNDS)])


def estimate(values: Sequence[float]) -> Estimate:
    """The mean and its interval; one value has no interval."""
    if len(values) < 2:
        return Estimate(mean=values[0] if values else math.nan, low=math.nan, high=math.nan)
    low, high = bootstrap_interval(values)
    return Estimate(mean=fmean(values), low=low, high=high)


def estimate_difference(first: Sequence[float], second: Sequence[float]) -> Estimate:
    """Mean of the first less mean of the second, each resampled by itself: for values that come in no pairs."""
    if not first or not second:
        return Estimate(mean=math.nan, low=math.nan, high=math.nan)
    mean = fmean(first) - fmean(second)
    if len(first) < 2 or len(second) < 2:
        return Estimate(mean=mean, low=math.nan, high=math.nan)
    rng = random.Random(len(first) * 1000 + len(second))
    drawn = [fmean(rng.choices(first, k=len(first))) - fmean(rng.choices(second, k=len(second))) for _ in range(ROUNDS)]
    low, high = _middle(drawn)
    return Estimate(mean=mean, low=low, high=high)


def _middle(means: list[float]) -> tuple[float, float]:
    means.sort()
    return means[int(0.025 * ROUNDS)], means[int(0.975 * ROUNDS)]
