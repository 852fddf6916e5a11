"""A policy's score on held-out environments, with a bootstrap interval."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from statistics import fmean

from openspade.errors import ConfigError
from openspade.memory.memory import Memory
from openspade.roles.source import read_design
from openspade.rollout.playtest import Plan, Playtester
from openspade.types import Design, Episode, Outcome

BOOTSTRAP_ROUNDS = 1000
PACKAGED = {"nano": "openspade.nano"}


@dataclass(frozen=True, kw_only=True, slots=True)
class HeldOutTask:
    """One environment of a suite and the seeds it is always played on."""

    family: str
    level: int
    design: Design
    seeds: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Score:
    """Mean return in [0, 1] with its 95 % interval over tasks; by family; void episodes are left out and counted."""

    mean: float
    low: float
    high: float
    families: Mapping[str, float]
    episodes: int
    void: int

    def metrics(self) -> dict[str, float]:
        return {
            "heldout/score": self.mean,
            "heldout/score_low": self.low,
            "heldout/score_high": self.high,
            **{f"heldout/{family}": value for family, value in self.families.items()},
        }


def load_suite(name: str) -> tuple[HeldOutTask, ...]:
    """A suite shipped with the package, or a JSONL file of {family, level, source, seeds}. Raises ConfigError."""
    if name in PACKAGED:
        text = (resources.files(PACKAGED[name]) / "heldout.jsonl").read_text(encoding="utf-8")
    elif Path(name).is_file():
        text = Path(name).read_text(encoding="utf-8")
    else:
        raise ConfigError(f"evaluate.suite is {name!r}; use {', '.join(PACKAGED)} or the path of a JSONL file")
    return tuple(_read_task(name, number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip())


class HeldOutExaminer:
    """Plays a suite unaided every `every` cycles, and once before the first."""

    def __init__(
        self,
        *,
        playtester: Playtester,
        tasks: Sequence[HeldOutTask],
        every: int,
        plays: int,
        memory: Memory,
        suite: str,
    ) -> None:
        self._playtester = playtester
        self._tasks = tasks
        self._every = every
        self._plays = plays
        self._memory = memory
        self._suite = suite

    async def examine(self, cycle: int) -> Mapping[str, float]:
        """The score's metrics where one is due in this cycle, else nothing."""
        if not self._every or (cycle + 1) % self._every:
            return {}
        score = await examine(self._playtester, self._tasks, self._plays)
        self._memory.record_evaluation(cycle, self._suite, score.metrics())
        return score.metrics()


async def examine(playtester: Playtester, tasks: Sequence[HeldOutTask], plays: int, *, hinted: bool = False) -> Score:
    """Play every task `plays` times on each of its seeds, the same random draws every time."""
    plans = [Plan(design=task.design, seeds=task.seeds, plays=plays, hinted=hinted) for task in tasks]
    playtests = await playtester.play(plans, key="heldout")
    returns = [_returns(playtest.episodes, hinted=hinted) for playtest in playtests]
    by_family: dict[str, list[float]] = {}
    for task, values in zip(tasks, returns, strict=True):
        by_family.setdefault(task.family, []).extend(values)
    means = [fmean(values) for values in returns if values]
    low, high = bootstrap_interval(means)
    return Score(
        mean=fmean(means) if means else 0.0,
        low=low,
        high=high,
        families={family: fmean(values) for family, values in by_family.items() if values},
        episodes=sum(len(values) for values in returns),
        void=sum(e.outcome is Outcome.VOID for playtest in playtests for e in playtest.episodes),
    )


def bootstrap_interval(values: Sequence[float]) -> tuple[float, float]:
    """95 % percentile bootstrap interval of the mean, always with the same draws; (0, 0) for no values."""
    if not values:
        return 0.0, 0.0
    rng = random.Random(len(values))
    means = sorted(fmean(rng.choices(values, k=len(values))) for _ in range(BOOTSTRAP_ROUNDS))
    return means[int(0.025 * BOOTSTRAP_ROUNDS)], means[int(0.975 * BOOTSTRAP_ROUNDS)]


def _returns(episodes: Sequence[Episode], *, hinted: bool) -> list[float]:
    return [e.return_ for e in episodes if e.hinted == hinted and e.outcome is not Outcome.VOID]


def _read_task(suite: str, number: int, line: str) -> HeldOutTask:
    try:
        record = json.loads(line)
        design = read_design(record["source"])
        seeds = tuple(int(seed) for seed in record["seeds"])
        family, level = str(record["family"]), int(record["level"])
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"suite {suite}, line {number}: {type(error).__name__}: {error}") from None
    if not isinstance(design, Design):
        raise ConfigError(f"suite {suite}, line {number}: {design.message}")
    return HeldOutTask(family=family, level=level, design=design, seeds=seeds)
