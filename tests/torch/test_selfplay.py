"""Whole cycles with the built-in policy: it writes, plays and learns, and a resumed run is the same run."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import time
from pathlib import Path

from tests.kill_and_resume import contents

from openspade.assembly import open_run
from openspade.config import Config
from openspade.recipe import load
from openspade.run_folder import new_run_directory
from openspade.types import CycleReport

RECIPE = Path(__file__).parents[2] / "recipes" / "nano.toml"
SMALL = ("cycle.briefs=2", "cycle.drafts_per_brief=2", "cycle.replays=1", "playtest.seeds=2", "playtest.plays=3")


def settings(directory: Path, cycles: int) -> Config:
    return load(RECIPE, [f"run.directory={directory}", f"run.cycles={cycles}", "evaluate.every=0", *SMALL])


async def play(config: Config, directory: Path) -> list[CycleReport]:
    async with open_run(config, directory) as run:
        return [report async for report in run.cycles()]


def weights(directory: Path, cycle: int) -> str:
    return hashlib.sha256(
        (directory / "checkpoints" / f"cycle_{cycle:06d}" / "model.safetensors").read_bytes()
    ).hexdigest()


async def test_the_nano_policy_writes_plays_and_learns_from_both_roles(tmp_path: Path):
    config = settings(tmp_path, 1)
    directory = new_run_directory(config)
    (report,) = await play(config, directory)
    assert report.metrics["funnel/accepted"] >= 1
    assert {trajectory.role for trajectory in report.credit.trajectories} == {"designer", "agent"}
    assert report.metrics["train/agent_mismatch_max"] < 1e-3
    assert report.metrics["train/designer_mismatch_max"] < 1e-3


async def test_a_resumed_run_has_the_weights_of_an_undisturbed_one_bit_for_bit(tmp_path: Path):
    whole, parts = (new_run_directory(settings(tmp_path / name, 2)) for name in ("whole", "parts"))
    await play(settings(tmp_path / "whole", 2), whole)
    await play(settings(tmp_path / "parts", 1), parts)
    await play(settings(tmp_path / "parts", 2), parts)
    assert weights(whole, 1) == weights(parts, 1)
    assert weights(whole, 0) != weights(whole, 1)


def test_five_kills_and_resumes_leave_the_run_that_was_never_disturbed(tmp_path: Path):
    undisturbed, hit = (new_run_directory(settings(tmp_path / name, 4)) for name in ("whole", "hit"))
    command = [sys.executable, "-m", "tests.kill_and_resume"]
    began = time.monotonic()
    subprocess.run([*command, str(undisturbed), "0", "0", "openspade.engine.local"], check=True)
    half = (time.monotonic() - began) / 2
    subprocess.run([*command, str(hit), "5", str(half), "openspade.engine.local"], check=True)
    assert contents(hit) == contents(undisturbed)
