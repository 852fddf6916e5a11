"""Several runs side by side: grouped by what differs in their settings, at equal budget, with intervals over seeds."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from openspade.config import Config
from openspade.errors import ConfigError
from openspade.evaluation.bootstrap import Estimate, estimate, estimate_difference
from openspade.recipe import flat
from openspade.runview.formats import mean
from openspade.runview.view import Axis, RunView
from openspade.settings.section import FREE, SEEDING
from openspade.tokens import JSON


@dataclass(frozen=True, kw_only=True, slots=True)
class Group:
    """Runs of one setting that differ in their seeds only; `label` names the settings that tell groups apart."""

    label: str
    settings: Mapping[str, JSON]
    runs: tuple[RunView, ...]

    def gains(self, axis: Axis, budget: float) -> list[float]:
        """Held-out score at the budget less the first one, for each seed."""
        return [run.score_at(axis, budget) - run.scores[0].mean for run in self.runs if run.scores]

    def final(self, axis: Axis, budget: float) -> dict[int, float]:
        """Held-out score at the budget by seed."""
        return {run.seed: run.score_at(axis, budget) for run in self.runs if run.scores}

    def edges(self, metric: str) -> tuple[float, float]:
        """Mean over its runs of a metric's mean over their first and over their last cycles."""
        ends = [run.edges(metric) for run in self.runs]
        return mean([first for first, _ in ends]), mean([last for _, last in ends])


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """A group's held-out score at the budget less the reference's; `by_seed` holds the pairs, empty where unpaired."""

    label: str
    reference: str
    estimate: Estimate
    by_seed: Mapping[int, float]


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """Groups at the budget that all of their runs have reached, in the units of `axis`."""

    groups: tuple[Group, ...]
    axis: Axis
    budget: float
    differences: tuple[Difference, ...]


def compare(runs: Sequence[RunView], axis: Axis, reference: str = "") -> Comparison:
    """Group the runs and take every group's difference to the reference: the one of that label, else the one with
    default settings, else the first. It leads the groups.

    Raises ConfigError where a run has no cycle yet, a seed occurs twice, or the reference is no group.
    """
    for run in runs:
        if not run.cycles:
            raise ConfigError(f"{run.name} has no finished cycle yet: leave it out, or resume it")
    groups = _groups(runs)
    ends = [run.score_points(axis)[-1][0] for run in runs if run.scores]
    budget = min(ends, default=math.nan)
    by_label = {group.label: group for group in groups}
    if reference and reference not in by_label:
        raise ConfigError(f"there is no group {reference!r}; there are: {'; '.join(by_label)}")
    against = by_label[reference] if reference else next(filter(_as_by_default, groups), groups[0])
    others = [group for group in groups if group is not against]
    differences = tuple(_difference(group, against, axis, budget) for group in others)
    return Comparison(groups=(against, *others), axis=axis, budget=budget, differences=differences)


def _groups(runs: Sequence[RunView]) -> list[Group]:
    paths = sorted({path for run in runs for path in run.settings} - Config.marked(FREE) - Config.marked(SEEDING))
    differing = [path for path in paths if len({json.dumps(run.settings.get(path)) for run in runs}) > 1]
    members: dict[str, list[RunView]] = {}
    for run in runs:
        label = ", ".join(f"{path}={_word(run.settings.get(path))}" for path in differing) or "all runs"
        members.setdefault(label, []).append(run)
    return [_group(label, differing, alike) for label, alike in members.items()]


def _as_by_default(group: Group) -> bool:
    defaults = flat(Config().model_dump(mode="json", by_alias=True))
    return all(value == defaults.get(path) for path, value in group.settings.items())


def _group(label: str, differing: Sequence[str], runs: Sequence[RunView]) -> Group:
    by_seed = {run.seed: run for run in runs}
    if len(by_seed) < len(runs):
        names = ", ".join(run.name for run in runs)
        raise ConfigError(f"two of these runs have the same settings and seed, so they are one run: {names}")
    settings = {path: runs[0].settings.get(path) for path in differing}
    return Group(label=label, settings=settings, runs=tuple(by_seed[seed] for seed in sorted(by_seed)))


def _difference(group: Group, against: Group, axis: Axis, budget: float) -> Difference:
    first, second = group.final(axis, budget), against.final(axis, budget)
    common = sorted(first.keys() & second.keys())
    if len(common) > 1 or first.keys() == second.keys():
        by_seed = {seed: first[seed] - second[seed] for seed in common}
        found = estimate([*by_seed.values()])
    else:
        by_seed, found = {}, estimate_difference([*first.values()], [*second.values()])
    return Difference(label=group.label, reference=against.label, estimate=found, by_seed=by_seed)


def _word(value: JSON) -> str:
    return value if isinstance(value, str) and value else json.dumps(value)
