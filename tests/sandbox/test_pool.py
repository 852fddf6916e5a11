"""The pool: it starts fast, outlives what generated code does, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import socket
import time
from pathlib import Path

import pytest

from openspade.errors import SandboxError
from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.sandbox.host.sandboxed_environment import (
    ChildDied,
    DeadlineExceeded,
    SandboxedEnvironment,
    SandboxFailure,
)
from openspade.sandbox.isolation.walls import Walls, grade, refuse_windows
from openspade.settings.worlds import SandboxConfig
from openspade.types import Observation, StepResult
from tests.sandbox.programs import COUNTER, CRASH, SLOW, SPIN, TINY, say

QUICK = SandboxConfig(workers=1, step_timeout_s=0.3, open_timeout_s=0.5)


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def processes_of(group: list[int]) -> list[int]:
    """Live descendants of the processes named."""
    found, waiting = [], list(group)
    while waiting:
        pid = waiting.pop()
        try:
            children = [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        except OSError:
            children = []
        found += children
        waiting += children
    return found


async def test_a_pool_starts_in_half_a_second_of_work() -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    async with SandboxPool(QUICK) as pool:
        assert pool.grade in "ABC"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.5


async def test_a_closed_pool_leaves_no_process_and_no_descriptor() -> None:
    before = open_descriptors()
    async with SandboxPool(QUICK) as pool:
        await pool.open(SLOW)
        await asyncio.sleep(0)
        zygotes = pool.zygote_pids
        assert processes_of(zygotes)
        children = processes_of(zygotes)
    assert [pid for pid in [*zygotes, *children] if Path(f"/proc/{pid}").exists()] == []
    assert open_descriptors() <= before


async def test_closing_the_pool_ends_requests_in_flight() -> None:
    pool = SandboxPool(QUICK)
    await pool.start()
    environment = await pool.open(SPIN)
    hanging = asyncio.create_task(environment.reset([1]))
    await asyncio.sleep(0.05)
    await pool.close()
    with pytest.raises(SandboxError, match="closed"):
        await hanging
    with pytest.raises(SandboxError, match="closed"):
        await pool.open(TINY)


async def test_a_cancelled_request_kills_its_child_and_spares_the_pool() -> None:
    async with SandboxPool(QUICK) as pool:
        async with await pool.open(SPIN) as environment:
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(environment.reset([1]), 0.05)
            with pytest.raises(ChildDied, match="cancelled"):
                await environment.reset([1])
        async with await pool.open(COUNTER) as honest:
            assert isinstance((await honest.reset([1]))[0], Observation)


async def test_two_pools_live_side_by_side() -> None:
    async with SandboxPool(QUICK) as one, SandboxPool(QUICK) as other:
        first, second = await one.open(COUNTER), await other.open(COUNTER)
        shown = await asyncio.gather(first.reset([1]), second.reset([2]))
    async with SandboxPool(QUICK) as third, await third.open(COUNTER) as again:
        shown.append(await again.reset([3]))
    assert shown == [[Observation(text=f"seed {seed}")] for seed in (1, 2, 3)]


async def test_a_trainer_with_many_open_files_can_start_a_pool() -> None:
    held = [socket.socket() for _ in range(300)]
    try:
        async with SandboxPool(QUICK) as pool, await pool.open(COUNTER) as environment:
            assert pool.grade in "ABC"
            assert isinstance((await environment.reset([1]))[0], Observation)
    finally:
        for one in held:
            one.close()


async def _play_on(environment: SandboxedEnvironment) -> None:
    while True:
        await environment.reset([1])


async def test_a_dead_zygote_is_replaced() -> None:
    async with SandboxPool(QUICK) as pool:
        environment = await pool.open(COUNTER)
        (zygote,) = pool.zygote_pids
        os.kill(zygote, signal.SIGKILL)
        with pytest.raises((SandboxError, SandboxFailure)):
            await _play_on(environment)
        async with await pool.open(COUNTER) as again:
            assert await again.reset([4]) == [Observation(text="seed 4")]
        assert pool.zygote_pids != [zygote]


async def test_a_missing_wall_refuses_to_start_and_says_what_to_do() -> None:
    with pytest.raises(SandboxError, match=r"seccomp is off: not asked for.*doctor.*allow_unconfined"):
        async with SandboxPool(QUICK, walls=Walls(seccomp=False)):
            pass


async def test_unconfined_is_allowed_only_by_name(caplog: pytest.LogCaptureFixture) -> None:
    config = QUICK.model_copy(update={"allow_unconfined": True})
    async with SandboxPool(config, walls=Walls(seccomp=False)) as pool:
        assert pool.grade == "F"
    assert "without seccomp" in caplog.text


async def test_a_wall_asked_for_by_name_is_required() -> None:
    config = QUICK.model_copy(update={"require": ("landlock",)})
    with pytest.raises(SandboxError, match="landlock is off"):
        async with SandboxPool(config, walls=Walls(landlock=False)):
            pass


def test_windows_is_refused_with_advice() -> None:
    with pytest.raises(SandboxError, match="WSL 2"):
        refuse_windows("Windows")


@pytest.mark.parametrize(
    ("holding", "system", "letter"),
    [
        (("seccomp", "no_new_privs", "rlimits", "landlock", "namespaces"), "Linux", "A"),
        (("seccomp", "no_new_privs", "rlimits", "landlock"), "Linux", "B"),
        (("seccomp", "no_new_privs", "rlimits"), "Linux", "C"),
        (("seccomp", "no_new_privs"), "Linux", "F"),
        (("landlock", "namespaces", "rlimits"), "Linux", "F"),
        (("seatbelt", "rlimits"), "Darwin", "D"),
        ((), "Darwin", "F"),
    ],
)
def test_the_grade_is_as_good_as_the_walls(holding: tuple[str, ...], system: str, letter: str) -> None:
    assert grade(dict.fromkeys(holding, True), system) == letter


async def test_fifty_endless_loops_leave_no_child_and_a_pool_that_serves() -> None:
    config = SandboxConfig(workers=2, step_timeout_s=0.1, wall_factor=20, open_timeout_s=2)
    async with SandboxPool(config) as pool:

        async def hang() -> str:
            async with await pool.open(SPIN) as environment:
                with pytest.raises(DeadlineExceeded):
                    await environment.reset([1])
            return "hung"

        assert await asyncio.gather(*(hang() for _ in range(50))) == ["hung"] * 50
        assert pool.children <= 2 * len(pool.zygote_pids)
        began = time.perf_counter()
        async with await pool.open(COUNTER) as environment:
            assert isinstance((await environment.reset([1]))[0], Observation)
        assert time.perf_counter() - began < 1.0


async def _verdict(pool: SandboxPool, number: int) -> str:
    """How program `number` ended; one in seven hangs, one in seven crashes."""
    source = SPIN if number % 7 == 0 else CRASH if number % 7 == 1 else COUNTER
    crash = source.replace("import ctypes", "ctypes = __import__('dataclasses').sys.modules['ctypes']")
    environment: SandboxedEnvironment
    try:
        async with await pool.open(crash) as environment:
            await environment.reset([number])
            return "honest" if isinstance((await environment.step(say("x")))[0], StepResult) else "fault"
    except SandboxFailure as failure:
        return f"{type(failure).__name__}{getattr(failure, 'signal', '')}"


async def test_churn_gives_no_wrong_verdict_and_leaks_nothing() -> None:
    wanted = {0: "DeadlineExceeded", 1: "ChildDiedSIGSEGV"}
    config = SandboxConfig(workers=2, step_timeout_s=0.05, wall_factor=40, open_timeout_s=2)
    async with SandboxPool(config) as pool:
        await asyncio.gather(*(_verdict(pool, number) for number in range(14)))
        before = open_descriptors()
        turns = asyncio.Semaphore(8)

        async def judged(number: int) -> bool:
            async with turns:
                return await _verdict(pool, number) == wanted.get(number % 7, "honest")

        right = await asyncio.gather(*(judged(number) for number in range(300)))
        assert right == [True] * 300
        # Warm children come and go; nothing else may stay.
        assert pool.children <= 2 * len(pool.zygote_pids)
        assert open_descriptors() <= before + 8
