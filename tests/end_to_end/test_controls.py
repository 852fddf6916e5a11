"""The controls of docs/algorithm.md §8 as whole runs with the scripted policy."""

from __future__ import annotations

from pathlib import Path

import pytest

from openspade.assembly import open_run
from openspade.config import Config
from openspade.recipe import parse
from openspade.run_folder import new_run_directory
from tests.end_to_end.runs import play, steady


def settings(directory: Path, control: str, cycles: int) -> Config:
    return parse(
        {
            "control": control,
            "run": {"directory": str(directory), "cycles": cycles},
            "policy": {"engine": "scripted", "context_tokens": 100_000},
            "designer": {"max_tokens": 2000},
            "cycle": {"briefs": 2, "drafts_per_brief": 2},
            "corpus": {"enabled": False},
            "pool": {"size": 8},
        }
    )


async def stored(config: Config, directory: Path) -> list[dict[str, float]]:
    async with open_run(config, directory) as run:
        cycles = [metrics for _, metrics in run.memory.metrics()]
    return [steady(metrics) for metrics in cycles]


@pytest.mark.parametrize("control", ["fixed_pool", "difficulty_window"])
async def test_a_control_with_a_pool_drafts_nothing_and_trains_the_agent_only(tmp_path: Path, control: str):
    config = settings(tmp_path, control, 2)
    reports = await play(config, new_run_directory(config))
    assert [len(report.verdicts) for report in reports] == [0, 0]
    assert [len(report.playtests) for report in reports] == [4, 4]
    assert {trajectory.role for report in reports for trajectory in report.credit.trajectories} <= {"agent"}


@pytest.mark.parametrize("control", ["fixed_pool", "difficulty_window"])
async def test_a_resumed_control_equals_an_undisturbed_one(tmp_path: Path, control: str):
    whole, first = settings(tmp_path / "whole", control, 4), settings(tmp_path / "parts", control, 2)
    at_once, in_parts = new_run_directory(whole), new_run_directory(first)
    await play(whole, at_once)
    await play(first, in_parts)
    await play(settings(tmp_path / "parts", control, 4), in_parts)
    assert await stored(whole, in_parts) == await stored(whole, at_once)


async def test_two_runs_of_one_seed_play_the_same_pool(tmp_path: Path):
    folders = [new_run_directory(settings(tmp_path / name, "fixed_pool", 1)) for name in ("one", "other")]
    for name, folder in zip(("one", "other"), folders, strict=True):
        await play(settings(tmp_path / name, "fixed_pool", 1), folder)
    assert (folders[0] / "pool.jsonl").read_bytes() == (folders[1] / "pool.jsonl").read_bytes()
