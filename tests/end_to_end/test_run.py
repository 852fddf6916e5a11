"""Whole runs with the scripted policy: they learn nothing, but everything else is real."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from openspade.assembly import open_run
from openspade.errors import ConfigError, StorageError
from openspade.run_folder import DATABASE_FILE, begin_from, new_run_directory, stored_config
from tests.content_digest import content_digest
from tests.end_to_end.runs import play, settings


def digest(directory: Path) -> str:
    return content_digest(directory / DATABASE_FILE)


async def test_a_cycle_writes_judges_plays_and_pays(tmp_path: Path):
    config = settings(tmp_path, 1)
    (report,) = await play(config, new_run_directory(config))
    assert len(report.verdicts) == 4
    assert any(verdict.accepted for verdict in report.verdicts)
    assert {trajectory.role for trajectory in report.credit.trajectories} == {"designer", "agent"}


@pytest.mark.parametrize("reuse", [1, 3])
async def test_a_stopped_and_resumed_run_equals_an_undisturbed_one(tmp_path: Path, reuse: int):
    whole = settings(tmp_path / "whole", 4, reuse=reuse)
    at_once, in_parts = new_run_directory(whole), new_run_directory(settings(tmp_path / "parts", 4, reuse=reuse))
    await play(whole, at_once)
    async with open_run(settings(tmp_path / "parts", 4, reuse=reuse), in_parts) as run:
        async for report in run.cycles():
            if report.cycle == 1:
                run.stop_after_cycle()
    await play(settings(tmp_path / "parts", 4, reuse=reuse), in_parts)
    assert digest(in_parts) == digest(at_once)


async def test_a_reused_design_is_played_in_each_cycle_of_its_window(tmp_path: Path):
    config = settings(tmp_path, 3, reuse=2, replays=0)
    first, second, third = await play(config, new_run_directory(config))
    accepted = [{v.draft.design.id for v in r.verdicts if v.accepted and v.draft.design} for r in (first, second)]
    assert {p.design.id for p in second.playtests if p.replayed} == accepted[0]
    assert {p.design.id for p in third.playtests if p.replayed} == accepted[1]
    assert all(any(e.hinted for e in p.episodes) for p in second.playtests)


PLAY_ON = """
import asyncio, sys
from pathlib import Path
from openspade.assembly import open_run
from openspade.run_folder import stored_config

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


# --- other settings, and beginning from another run -------------------------------------------------


async def test_other_settings_are_refused_with_a_list(tmp_path: Path):
    config = settings(tmp_path, 1)
    directory = new_run_directory(config)
    await play(config, directory)
    with pytest.raises(ConfigError, match=r"cycle\.briefs was 2, now 3\n  run\.seed was 0, now 5"):
        await play(stored_config(directory, ["run.seed=5", "cycle.briefs=3", "run.cycles=9"]), directory)


async def test_a_run_from_anothers_memory_knows_its_designs_and_starts_untrained(tmp_path: Path):
    config = settings(tmp_path, 1)
    earlier = new_run_directory(config)
    (report,) = await play(config, earlier)
    async with open_run(config, begin_from(earlier, config, "memory")) as run:
        known = {stored.design.id for stored in run.memory.designs()}
        assert run.memory.last_cycle() == -1
    assert known == {v.draft.design.id for v in report.verdicts if v.accepted and v.draft.design}


async def test_a_run_from_anothers_weights_goes_on_learning_and_remembers_nothing(tmp_path: Path):
    config = settings(tmp_path, 1)
    earlier = new_run_directory(config)
    await play(config, earlier)
    async with open_run(config, begin_from(earlier, config, "weights")) as run:
        assert run.memory.designs() == ()
        async for _ in run.cycles():
            pass
        assert run.parts.engine.version == 2


def test_a_run_without_a_finished_cycle_has_nothing_to_begin_from(tmp_path: Path):
    config = settings(tmp_path, 1)
    directory = new_run_directory(config)
    with pytest.raises(StorageError):
        begin_from(directory, config, "weights")


async def test_a_taken_name_gets_a_number_and_keeps_the_older_run(tmp_path: Path):
    config = settings(tmp_path, 1)
    assert [new_run_directory(config).name for _ in range(3)] == ["run", "run-2", "run-3"]


def test_a_folder_without_a_run_is_named(tmp_path: Path):
    with pytest.raises(ConfigError, match="holds no run"):
        stored_config(tmp_path)
