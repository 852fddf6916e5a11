"""A policy's score on held-out environments, with a bootstrap interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from openspade.evaluation.bootstrap import bootstrap_interval
from openspade.evaluation.suites import HeldOutTask
from openspade.evaluation.suites import load_suite as load_suite
from openspade.memory.memory import Memory
from openspade.rollout.playtest import Plan, Playtester
from openspade.settings.worlds import EvaluateConfig
from openspade.types import Outcome, Playtest


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


class HeldOutExaminer:
    """Plays a suite unaided every `every` cycles, once before the first, and after the run's last one."""

    def __init__(
        self,
        *,
        playtester: Playtester,
        tasks: Sequence[HeldOutTask],
        config: EvaluateConfig,
        memory: Memory,
        last_cycle: int,
    ) -> None:
        self._playtester = playtester
        self._tasks = tasks
        self._config = config
        self._memory = memory
        self._last_cycle = last_cycle

    async def examine(self, cycle: int) -> Mapping[str, float]:
        """The score's metrics where one is due in this cycle, else nothing."""
        every = self._config.every
        if not every or ((cycle + 1) % every and cycle != self._last_cycle):
            return {}
        score = await examine(self._playtester, self._tasks, self._config.plays)
        self._memory.record_evaluation(cycle, self._config.suite, score.metrics())
        return score.metrics()


async def examine(playtester: Playtester, tasks: Sequence[HeldOutTask], plays: int, *, hinted: bool = False) -> Score:
    """Play every task `plays` times on each of its seeds, the same random draws every time."""
    return score_of(tasks, await play_tasks(playtester, tasks, plays, hinted=hinted), hinted=hinted)


async def play_tasks(
    playtester: Playtester, tasks: Sequence[HeldOutTask], plays: int, *, hinted: bool
) -> list[Playtest]:
    """One playtest a task; the hinted arm is played beside the unaided one where it is wanted."""
    plans = [Plan(design=task.design, seeds=task.seeds, plays=plays, hinted=hinted) for task in tasks]
    return await playtester.play(plans, key="heldout")


def score_of(tasks: Sequence[HeldOutTask], playtests: Sequence[Playtest], *, hinted: bool = False) -> Score:
    """The score in one arm: the mean over tasks, where every question counts as one; the interval draws them anew."""
    units: list[list[float]] = []
    by_family: dict[str, list[float]] = {}
    for task, playtest in zip(tasks, playtests, strict=True):
        by_seed = _returns(playtest, hinted=hinted)
        units += by_seed if task.questions else [[value for values in by_seed for value in values]]
        by_family.setdefault(task.family, []).extend(value for values in by_seed for value in values)
    means = [fmean(values) for values in units if values]
    low, high = bootstrap_interval(means)
    return Score(
        mean=fmean(means) if means else 0.0,
        low=low,
        high=high,
        families={family: fmean(values) for family, values in by_family.items() if values},
        episodes=sum(map(len, by_family.values())),
        void=sum(e.outcome is Outcome.VOID for playtest in playtests for e in playtest.episodes if e.hinted == hinted),
    )


def _returns(playtest: Playtest, *, hinted: bool) -> list[list[float]]:
    """Returns of the arm's episodes, seed by seed."""
    by_seed: dict[int, list[float]] = {}
    for episode in playtest.episodes:
        if episode.hinted == hinted and episode.outcome is not Outcome.VOID:
            by_seed.setdefault(episode.seed, []).append(episode.return_)
    return [*by_seed.values()]
