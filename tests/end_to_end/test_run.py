"""Whole runs with the scripted policy: they learn nothing, but everything else is real."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from openspade.assembly import new_run_directory, open_run, stored_config
from openspade.config import Config
from openspade.errors import ConfigError
from openspade.recipe import parse
from openspade.types import CycleReport

VARIES = ("seconds/", "memory/")


def settings(directory: Path, cycles: int) -> Config:
    return parse(
        {
            "run": {"directory": str(directory), "cycles": cycles},
            "policy": {"engine": "scripted", "context_tokens": 100_000},
            "designer": {"max_tokens": 2000},
            "cycle": {"briefs": 3, "drafts_per_brief": 2, "replays": 1},
            "corpus": {"enabled": False},
        }
    )


async def play(config: Config, directory: Path) -> list[CycleReport]:
    async with open_run(config, directory) as run:
        return [report async for report in run.cycles()]


def steady(metrics: Mapping[str, float]) -> dict[str, float]:
    """The metrics that do not measure time or memory."""
    return {name: value for name, value in metrics.items() if not name.startswith(VARIES)}


async def stored_metrics(config: Config, directory: Path) -> list[dict[str, float]]:
    async with open_run(config, directory) as run:
        return [steady(metrics) for _, metrics in run.memory.metrics()]


async def test_a_cycle_writes_judges_plays_and_pays(tmp_path: Path):
    config = settings(tmp_path, 1)
    (report,) = await play(config, new_run_directory(config))
    assert len(report.verdicts) == 6
    assert any(verdict.accepted for verdict in report.verdicts)
    assert {trajectory.role for trajectory in report.credit.trajectories} == {"designer", "agent"}


async def test_a_stopped_and_resumed_run_equals_an_undisturbed_one(tmp_path: Path):
    whole = settings(tmp_path / "whole", 4)
    first = settings(tmp_path / "parts", 2)
    at_once, in_parts = new_run_directory(whole), new_run_directory(first)
    await play(whole, at_once)
    await play(first, in_parts)
    await play(settings(tmp_path / "parts", 4), in_parts)
    assert await stored_metrics(whole, in_parts) == await stored_metrics(whole, at_once)


PLAY_ON = """
import asyncio, sys
from pathlib import Path
from openspade.assembly import open_run, stored_config

async def main():
    directory = Path(sys.argv[1])
    async with open_run(stored_config(directory), directory) as run:
        async for report in run.cycles():
            print(report.cycle, flush=True)

asyncio.run(main())
"""


def play_and_kill(directory: Path, cycles: int) -> int:
    """The last cycle that a killed process said it had finished."""
    with subprocess.Popen(
        [sys.executable, "-c", PLAY_ON, str(directory)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        done = [int(process.stdout.readline()) for _ in range(cycles)]
        process.send_signal(signal.SIGKILL)
    return done[-1]


async def test_a_killed_run_loses_at_most_the_running_cycle_and_goes_on(tmp_path: Path):
    directory = new_run_directory(settings(tmp_path, 50))
    finished = play_and_kill(directory, 3)
    async with open_run(settings(tmp_path, finished + 3), directory) as run:
        kept = run.memory.last_cycle()
        resumed = [report.cycle async for report in run.cycles()]
    assert kept in (finished, finished + 1)
    assert resumed == list(range(kept + 1, finished + 3))


async def test_a_taken_name_gets_a_number_and_keeps_the_older_run(tmp_path: Path):
    config = settings(tmp_path, 1)
    assert [new_run_directory(config).name for _ in range(3)] == ["run", "run-2", "run-3"]


def test_a_folder_without_a_run_is_named(tmp_path: Path):
    with pytest.raises(ConfigError, match="holds no run"):
        stored_config(tmp_path)
