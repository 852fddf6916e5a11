"""A trainer that is killed takes its children along."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import openspade

TRAINER = """
import asyncio, sys
from openspade.settings.worlds import SandboxConfig
from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.sandbox.isolation.walls import Walls
from tests.sandbox.programs import SPIN
from tests.sandbox.test_pool import processes_of

async def main():
    config = SandboxConfig(workers=1, step_timeout_s=60)
    async with SandboxPool(config, walls=Walls(namespaces=sys.argv[1] == "yes")) as pool:
        hanging = [await pool.open(SPIN) for _ in range(3)]
        spins = [asyncio.ensure_future(one.reset([0])) for one in hanging]
        await asyncio.sleep(0.1)
        print(*pool.zygote_pids, *processes_of(pool.zygote_pids), flush=True)
        await asyncio.gather(*spins)

asyncio.run(main())
"""


@pytest.mark.parametrize("namespaces", ["yes", "no"])
def test_killing_the_trainer_leaves_no_spinning_child(namespaces: str) -> None:
    paths = [str(Path(openspade.__file__).parents[1]), str(Path(__file__).parents[2])]
    environment = {**os.environ, "PYTHONPATH": ":".join([*paths, *filter(None, sys.path)])}
    with subprocess.Popen(
        [sys.executable, "-c", TRAINER, namespaces], stdout=subprocess.PIPE, env=environment
    ) as trainer:
        assert trainer.stdout is not None
        pids = [int(word) for word in trainer.stdout.readline().split()]
        handles = [os.pidfd_open(pid) for pid in pids]
        trainer.send_signal(signal.SIGKILL)
        deadline, dead = time.monotonic() + 1.0, set[int]()
        while len(dead) < len(handles) and time.monotonic() < deadline:
            ready, _, _ = select.select([handle for handle in handles if handle not in dead], [], [], 0.1)
            dead.update(ready)
    assert len(pids) >= 4
    assert len(dead) == len(pids)
    for handle in handles:
        os.close(handle)
