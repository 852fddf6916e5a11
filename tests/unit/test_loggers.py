"""Each cycle's metrics for other tools: every cycle once, and no failure of theirs is the run's."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import get_args

import pytest

from openspade.config import Config, LoggerName, RunConfig
from openspade.errors import ConfigError
from openspade.loggers.base import LoggedRun, Logger
from openspade.loggers.feed import feeding, refuse_missing
from openspade.loggers.kinds import KINDS
from openspade.recipe import flat
from openspade.types import CycleReport
from tests.unit.memories import a_cycle


@dataclass
class Sink:
    """A logger that writes down what it is given, and breaks in one cycle."""

    next_cycle: int = 0
    breaks_in: int = -1
    given: list[tuple[int, Mapping[str, float]]] = field(default_factory=list)
    runs: list[LoggedRun] = field(default_factory=list)
    closed: bool = False

    def log(self, cycle: int, metrics: Mapping[str, float]) -> None:
        if cycle == self.breaks_in:
            raise ZeroDivisionError("server gone")
        self.given.append((cycle, metrics))

    def close(self) -> None:
        self.closed = True

    def opened(self, run: LoggedRun) -> Logger:
        self.runs.append(run)
        self.next_cycle = run.next_cycle
        return self

    @property
    def cycles(self) -> list[int]:
        return [cycle for cycle, _ in self.given]


class NotInstalled(Sink):
    package = "no_such_package"


class Kept:
    """An archive and the past that it keeps."""

    def __init__(self) -> None:
        self.past: list[tuple[int, Mapping[str, float]]] = []

    async def remember(self, report: CycleReport) -> None:
        self.past.append((report.cycle, report.metrics))

    def metrics(self) -> list[tuple[int, Mapping[str, float]]]:
        return self.past


async def play(folder: Path, kept: Kept, cycles: range, **sinks: Sink) -> None:
    """Some cycles of a run that these sinks are told of; a second call is a resume."""
    config = Config(run=RunConfig(loggers=tuple(sinks)))  # type: ignore[arg-type]
    opened = {name: sink.opened for name, sink in sinks.items()}
    async with feeding(kept, config, folder, kept, {}, opened) as archive:
        for cycle in cycles:
            await archive.remember(a_cycle(cycle))


@pytest.fixture
def kept() -> Kept:
    return Kept()


async def test_a_logger_is_given_every_cycle_once_and_closed(tmp_path: Path, kept: Kept):
    sink = Sink()
    await play(tmp_path, kept, range(3), wandb=sink)
    assert sink.given == [(cycle, {"regret/mean": 0.1 * cycle}) for cycle in range(3)]
    assert sink.closed


async def test_a_resumed_run_leaves_no_gap_and_repeats_nothing(tmp_path: Path, kept: Kept):
    sink = Sink()
    await play(tmp_path, kept, range(3), wandb=sink)
    await play(tmp_path, kept, range(3, 5), wandb=sink)
    assert sink.cycles == [0, 1, 2, 3, 4]
    assert len({run.identity for run in sink.runs}) == 1


async def test_a_logger_that_joins_late_is_told_the_past_first(tmp_path: Path, kept: Kept):
    late = Sink()
    await play(tmp_path, kept, range(2), wandb=Sink())
    await play(tmp_path, kept, range(2, 3), mlflow=late)
    assert late.cycles == [0, 1, 2]


async def test_a_cycle_committed_before_a_kill_is_logged_by_the_resume(tmp_path: Path, kept: Kept):
    sink = Sink()
    await play(tmp_path, kept, range(2), wandb=sink)
    await kept.remember(a_cycle(2))
    await play(tmp_path, kept, range(3, 4), wandb=sink)
    assert sink.cycles == [0, 1, 2, 3]


async def test_a_logger_that_fails_is_named_once_and_the_run_goes_on(
    tmp_path: Path, kept: Kept, caplog: pytest.LogCaptureFixture
):
    broken, sound = Sink(breaks_in=1), Sink()
    with caplog.at_level(logging.WARNING):
        await play(tmp_path, kept, range(4), wandb=broken, mlflow=sound)
    assert (len(kept.past), sound.cycles, broken.cycles) == (4, [0, 1, 2, 3], [0])
    assert [record.message.partition(";")[0] for record in caplog.records] == [
        "logger wandb failed (ZeroDivisionError: server gone)"
    ]


async def test_a_logger_that_failed_is_told_the_rest_after_a_resume(tmp_path: Path, kept: Kept):
    sink = Sink(breaks_in=1)
    await play(tmp_path, kept, range(3), wandb=sink)
    sink.breaks_in = -1
    await play(tmp_path, kept, range(3, 4), wandb=sink)
    assert sink.cycles == [0, 1, 2, 3]


async def test_a_logger_that_cannot_be_opened_does_not_stop_the_run(tmp_path: Path, kept: Kept):
    config = Config(run=RunConfig(loggers=("wandb",)))

    def refuse(_: LoggedRun) -> Logger:
        raise ConnectionError("no server")

    async with feeding(kept, config, tmp_path, kept, {}, {"wandb": refuse}) as archive:
        await archive.remember(a_cycle(0))
    assert len(kept.past) == 1


async def test_a_cycle_that_is_not_kept_is_not_logged(tmp_path: Path, kept: Kept):
    class Full(Kept):
        async def remember(self, report: CycleReport) -> None:
            raise OSError("disk full")

    sink = Sink()
    with pytest.raises(OSError, match="disk full"):
        await play(tmp_path, Full(), range(1), wandb=sink)
    assert sink.given == []
    assert sink.closed


async def test_what_is_no_finite_number_is_left_out(tmp_path: Path, kept: Kept):
    sink = Sink()
    kept.past.append((0, {"loss": math.nan, "regret/mean": 0.5}))
    await play(tmp_path, kept, range(0), wandb=sink)
    assert sink.given == [(0, {"regret/mean": 0.5})]


async def test_without_loggers_the_archive_stays_as_it_is(tmp_path: Path, kept: Kept):
    async with feeding(kept, Config(), tmp_path, kept, {}) as archive:
        assert archive is kept
    assert list(tmp_path.iterdir()) == []


async def test_a_logger_is_told_the_settings_and_the_users_environment(tmp_path: Path, kept: Kept):
    sink = Sink()
    config = Config(run=RunConfig(loggers=("wandb",), seed=7))
    async with feeding(kept, config, tmp_path, kept, {"WANDB_MODE": "online"}, {"wandb": sink.opened}):
        (run,) = sink.runs
    assert flat(run.config)["run.seed"] == 7
    assert run.environment == {"WANDB_MODE": "online"}


def test_a_logger_that_is_not_installed_is_refused_with_what_to_install():
    with pytest.raises(ConfigError, match=r"pip install 'openspade\[nothing\]'"):
        refuse_missing(["nothing"], {"nothing": NotInstalled})


def test_every_logger_a_recipe_may_name_is_there():
    assert set(KINDS) == set(get_args(LoggerName))
