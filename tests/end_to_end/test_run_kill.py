"""Runs that are killed, stopped and stalled: what is committed stays, and the run that goes on is the same run."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import time
from pathlib import Path

from openspade.errors import RunError
from openspade.memory.memory import Memory
from openspade.memory.write.upkeep import verify_run
from openspade.run_folder import DATABASE_FILE, new_run_directory
from openspade.settings.worlds import MemoryConfig
from openspade.watchdog import STALL_FILE
from tests.end_to_end.runs import play, settings
from tests.kill_and_resume import contents

KILLS, CYCLES = 40, 40


def kill_and_resume(directory: Path, kills: int, longest_s: float) -> None:
    command = [sys.executable, "-m", "tests.kill_and_resume", str(directory), str(kills), str(longest_s)]
    subprocess.run(command, check=True)


def two_cycles_s(directory: Path) -> float:
    """Seconds in which a run starts and plays about two cycles on this machine now."""
    began = time.monotonic()
    kill_and_resume(directory, 0, 0)
    return (time.monotonic() - began) / 2


def test_forty_kills_and_resumes_leave_the_run_that_was_never_disturbed(tmp_path: Path):
    whole = settings(tmp_path / "whole", CYCLES, reuse=2)
    undisturbed, hit = new_run_directory(whole), new_run_directory(settings(tmp_path / "hit", CYCLES, reuse=2))
    patience = two_cycles_s(new_run_directory(settings(tmp_path / "timed", 4)))
    asyncio.run(play(whole, undisturbed))
    kill_and_resume(hit, KILLS, patience)
    assert contents(hit) == contents(undisturbed)


def started(directory: Path, cycles: int) -> subprocess.Popen[str]:
    """`openspade resume --json` of a run with so many cycles to go, its first cycle behind it."""
    command = [sys.executable, "-m", "openspade", "resume", str(directory), "--json", "--cycles", str(cycles)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.stdout.readline()
    return process


def test_a_second_signal_stops_now_and_loses_the_running_cycle_only(tmp_path: Path):
    directory = new_run_directory(settings(tmp_path, 500))
    with started(directory, 500) as process:
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) in (128 + signal.SIGTERM, 128 + signal.SIGINT)
    assert verify_run(directory / DATABASE_FILE) == ()


def test_one_signal_keeps_the_running_cycle(tmp_path: Path):
    directory = new_run_directory(settings(tmp_path, 500))
    process = started(directory, 500)
    process.send_signal(signal.SIGTERM)
    rest = process.communicate(timeout=60)[0].splitlines()
    assert process.returncode == 128 + signal.SIGTERM
    with Memory.open(directory / DATABASE_FILE, MemoryConfig(), readonly=True) as memory:
        assert memory.last_cycle() == len(rest)


STALL = """
import asyncio, sys
from pathlib import Path
from openspade.engine.scripted import ScriptedEngine
from openspade.engine.watched import WatchedEngine
from openspade.memory.memory import Memory
from openspade.engine.watched import Progress
from openspade.settings.worlds import MemoryConfig
from openspade.watchdog import Watchdog

class DeadServer(ScriptedEngine):
    async def sample(self, requests):
        await asyncio.Event().wait()

async def main():
    progress = Progress()
    engine = WatchedEngine(DeadServer(lambda prompt: ""), progress)
    with Memory.open(Path(sys.argv[1]) / "openspade.db", MemoryConfig()) as memory:
        with Watchdog(progress, timeout_s=0.3, memory=memory).watching():
            await engine.sample([])

asyncio.run(main())
"""


def test_a_run_that_waits_for_a_dead_server_says_so_and_ends(tmp_path: Path):
    ended = subprocess.run([sys.executable, "-c", STALL, str(tmp_path)], timeout=60, check=False)
    assert ended.returncode == RunError.exit_code
    with Memory.open(tmp_path / DATABASE_FILE, MemoryConfig(), readonly=True) as memory:
        (event,) = memory.events()
    assert event.kind == "stalled"
    assert "the policy's answers to 0 requests" in event.text
    assert "in DeadServer.sample" in (tmp_path / STALL_FILE).read_text()
