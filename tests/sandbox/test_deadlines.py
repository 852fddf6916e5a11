"""CPU seconds count, for each instance by itself; the wall clock is only a backstop."""

from __future__ import annotations

import asyncio
import os
import time

import pytest

from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.sandbox.host.sandboxed_environment import DeadlineExceeded, StepResult
from openspade.settings.worlds import SandboxConfig
from tests.sandbox.programs import SLOW, say

# About a tenth of a CPU second.
WORK = "1500000"
CONFIG = SandboxConfig(workers=2, step_timeout_s=0.4, wall_factor=50)
MIXED = SLOW.replace("n = 0", 'n = 0\n        while action == "hang": pass')


async def test_a_busy_machine_does_not_time_an_honest_child_out() -> None:
    many = 8 * (os.cpu_count() or 2)
    async with SandboxPool(CONFIG) as pool:
        environments = await asyncio.gather(*(pool.open(SLOW) for _ in range(many)))
        await asyncio.gather(*(one.reset([0]) for one in environments))
        began = time.monotonic()
        steps = await asyncio.gather(*(one.step(say(WORK)) for one in environments))
    assert time.monotonic() - began > CONFIG.step_timeout_s
    assert all(isinstance(step[0], StepResult) for step in steps)


async def test_every_instance_of_a_message_has_the_whole_limit() -> None:
    async with SandboxPool(CONFIG) as pool, await pool.open(SLOW, instances=10) as environment:
        await environment.reset([0] * 10)
        began = time.process_time()
        steps = await environment.step(say(WORK, *range(10)))
    assert time.process_time() - began < CONFIG.step_timeout_s
    assert len(steps) == 10


async def test_a_hang_among_many_instances_is_noticed_after_one_limit() -> None:
    async with SandboxPool(CONFIG) as pool, await pool.open(MIXED, instances=64) as environment:
        await environment.reset([0] * 64)
        with pytest.raises(DeadlineExceeded) as overrun:
            await environment.step({**say("1", *range(64)), **say("hang", 5)})
    assert overrun.value.position == 5
    assert overrun.value.cpu_s is not None and overrun.value.cpu_s < 2 * CONFIG.step_timeout_s


async def test_counting_as_if_working_buys_no_more_than_the_limits_of_all() -> None:
    cheat = SLOW.replace(
        "n = 0",
        "import dataclasses\n        frame = dataclasses.sys._getframe()\n"
        "        while 'finished' not in frame.f_locals: frame = frame.f_back\n"
        "        page = frame.f_locals['finished']\n"
        "        while True: page[0] = (page[0] + 1) & 0xFFFFFFFF",
    )
    config = CONFIG.model_copy(update={"step_timeout_s": 0.1})
    async with SandboxPool(config) as pool, await pool.open(cheat, instances=3) as environment:
        await environment.reset([0] * 3)
        began = time.monotonic()
        with pytest.raises(DeadlineExceeded):
            await environment.step(say("x", 0, 1, 2))
    assert time.monotonic() - began < 3 * config.step_timeout_s * config.wall_factor
