"""Plays a run to its end through many kill -9: `python -m tests.kill_and_resume RUN KILLS LONGEST_S [MODULE ...]`.

Imports once and forks for every attempt, so that a kill hits the run and not Python's start. MODULEs are imported too.
"""

from __future__ import annotations

import asyncio
import importlib
import os
import random
import signal
import sys
import time
from pathlib import Path

from openspade.assembly import open_run
from openspade.memory.write.upkeep import verify_run
from openspade.run_folder import DATABASE_FILE, stored_config
from tests.content_digest import content_digest


async def play(directory: Path) -> None:
    async with open_run(stored_config(directory), directory) as run:
        async for _ in run.cycles():
            pass


def contents(directory: Path) -> tuple[str, dict[str, bytes]]:
    """Everything a run leaves behind but measured times: the database, episodes, drafts, weights."""
    assert verify_run(directory / DATABASE_FILE) == ()
    folders = ("episodes", "drafts", "checkpoints")
    paths = [path for folder in folders for path in sorted((directory / folder).rglob("*")) if path.is_file()]
    files = {str(path.relative_to(directory)): path.read_bytes() for path in paths}
    return content_digest(directory / DATABASE_FILE), files


def main(directory: Path, kills: int, longest_s: float) -> None:
    chance = random.Random(0)
    for attempt in range(kills + 1):
        child = os.fork()
        if child == 0:
            asyncio.run(play(directory))
            os._exit(0)
        if attempt < kills:
            time.sleep(chance.uniform(0.05, longest_s))
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


if __name__ == "__main__":
    for module in sys.argv[4:]:
        importlib.import_module(module)
    main(Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
