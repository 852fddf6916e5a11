"""The controls of docs/algorithm.md §8 as whole runs with the scripted policy."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from openspade.assembly import open_run
from openspade.config import Config
from openspade.recipe import parse
from openspade.run_folder import new_run_directory
from openspade.types import Outcome
from tests.end_to_end.runs import play, steady

needs_rlve = pytest.mark.skipif(find_spec("Gym") is None, reason="needs the extra rlve")


def settings(directory: Path, control: str, cycles: int, **pool: object) -> Config:
    return parse(
        {
            "control": control,
            "run": {"directory": str(directory), "cycles": cycles},
            "policy": {"engine": "scripted", "context_tokens": 100_000},
            "designer": {"max_tokens": 2000},
            "cycle": {"briefs": 2, "drafts_per_brief": 2},
            "corpus": {"enabled": False},
            "pool": {"size": 8, **pool},
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


@pytest.mark.skipif(find_spec("reasoning_gym") is None, reason="needs reasoning-gym")
async def test_a_window_plays_what_reasoning_gym_makes(tmp_path: Path):
    config = settings(tmp_path, "difficulty_window", 1, source="reasoning_gym", families=["lcm", "chain_sum"])
    (report,) = await play(config, new_run_directory(config))
    episodes = [episode for playtest in report.playtests for episode in playtest.episodes]
    assert {playtest.design.skill for playtest in report.playtests} <= {"lcm", "chain_sum"}
    assert len(report.playtests) == 4
    assert all(episode.first_observation and episode.outcome is not Outcome.VOID for episode in episodes)


async def test_two_runs_of_one_seed_play_the_same_pool(tmp_path: Path):
    folders = [new_run_directory(settings(tmp_path / name, "fixed_pool", 1)) for name in ("one", "other")]
    for name, folder in zip(("one", "other"), folders, strict=True):
        await play(settings(tmp_path / name, "fixed_pool", 1), folder)
    assert (folders[0] / "pool.jsonl").read_bytes() == (folders[1] / "pool.jsonl").read_bytes()


@needs_rlve
async def test_a_resumed_window_of_given_environments_equals_an_undisturbed_one(tmp_path: Path):
    def asked(name: str, cycles: int) -> Config:
        return settings(tmp_path / name, "difficulty_window", cycles, source="rlve", families=["Sorting", "Division"])

    at_once, in_parts = new_run_directory(asked("whole", 2)), new_run_directory(asked("parts", 1))
    await play(asked("whole", 2), at_once)
    await play(asked("parts", 1), in_parts)
    await play(asked("parts", 2), in_parts)
    assert await stored(asked("whole", 2), in_parts) == await stored(asked("whole", 2), at_once)
