"""From rewards to advantages: within a group first, then each role brought to the same size (ALGORITHM §4)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev
from typing import Literal

from openspade.tokens import Role, TokenStream, Trajectory

EPSILON = 1e-6
"""Added to a group's standard deviation before dividing (ALGORITHM §4)."""

Scale = Literal["std", "none"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Earned:
    """One completed piece of play with its reward, and the group it is compared within.

    `trained` False keeps it in the group's statistics but out of the loss.
    """

    role: Role
    group: Hashable
    reward: float
    streams: tuple[TokenStream, ...]
    trained: bool = True


def advantages(earned: Sequence[Earned], scale: Scale, weights: Mapping[Role, float]) -> list[Trajectory]:
    """Trajectories with advantages; groups without spread and roles with weight 0 are left out.

    A role's advantages have root mean square `weights[role]` over its trained pieces, whatever the rewards' unit.
    """
    raw = [(item, advantage) for group in _groups(earned) for item, advantage in _within(group, scale)]
    trajectories: list[Trajectory] = []
    for role, weight in weights.items():
        mine = [(item, advantage) for item, advantage in raw if item.role == role and item.trained]
        size = root_mean_square([advantage for _, advantage in mine])
        if size == 0 or weight == 0:
            continue
        trajectories += [
            Trajectory(role=role, stream=stream, advantage=advantage * weight / size)
            for item, advantage in mine
            for stream in item.streams
        ]
    return trajectories


def flat_group_share(earned: Sequence[Earned]) -> float:
    """Share of groups without spread, which teach nothing; 0 where there is no group."""
    groups = _groups(earned)
    return fmean(_spread(group) == 0 for group in groups) if groups else 0.0


def root_mean_square(values: Sequence[float]) -> float:
    """0 for no values."""
    return fmean(value**2 for value in values) ** 0.5 if values else 0.0


def _groups(earned: Sequence[Earned]) -> list[list[Earned]]:
    groups: dict[tuple[Role, Hashable], list[Earned]] = {}
    for item in earned:
        groups.setdefault((item.role, item.group), []).append(item)
    return list(groups.values())


def _spread(group: Sequence[Earned]) -> float:
    rewards = [item.reward for item in group]
    return max(rewards) - min(rewards)


def _within(group: Sequence[Earned], scale: Scale) -> list[tuple[Earned, float]]:
    if _spread(group) == 0:
        return []
    rewards = [item.reward for item in group]
    mean = fmean(rewards)
    divisor = pstdev(rewards) + EPSILON if scale == "std" else 1.0
    return [(item, (item.reward - mean) / divisor) for item in group]
