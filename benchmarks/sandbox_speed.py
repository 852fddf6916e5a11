"""The rows of benchmarks/sandbox.py that time things: opening, memory, steps a second, and the released approach."""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.sandbox.test_pool import processes_of

from openspade.sandbox import wire
from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.sandbox.host.sandboxed_environment import SandboxedEnvironment
from openspade.sandbox.isolation.walls import Walls
from openspade.settings.worlds import SandboxConfig
from openspade.types import Action

MOVE = Action(text="x")
TINY = """
class Tiny:
    def reset(self, seed=None):
        self.turns = 0
        return "ready", {}
    def step(self, action):
        self.turns += 1
        return f"turn {self.turns}", 0.0, False, False, {}
"""
GRID = """
import random
class Grid:
    def reset(self, seed=None):
        rng = random.Random(seed)
        self.cells = [[rng.choice(".#o") for _ in range(8)] for _ in range(8)]
        self.x = self.y = 0
        return self.show(), {}
    def show(self):
        rows = [[("@" if (x, y) == (self.x, self.y) else cell) for x, cell in enumerate(row)]
                for y, row in enumerate(self.cells)]
        return "\\n".join(" ".join(row) for row in rows)
    def step(self, action):
        self.x, self.y = (self.x + 1) % 8, (self.y + self.x // 7) % 8
        return self.show(), 0.0, False, False, {}
"""
NO_KERNEL_WALLS = Walls(
    rlimits=False, no_new_privs=False, seccomp=False, landlock=False, namespaces=False, drop_uid=False
)
OPEN = SandboxConfig(workers=1, allow_unconfined=True)
CONFINED = SandboxConfig(workers=1)
Rows = list[tuple[str, str, str, bool]]
"""What was measured, its bar, the value, and whether the bar is met."""


def in_process(source: str) -> object:
    namespace: dict[str, object] = {}
    exec(source, namespace)
    (made,) = [value() for value in namespace.values() if isinstance(value, type)]
    made.reset(seed=0)
    return made


async def steps_per_s(environment: SandboxedEnvironment, instances: int, seconds: float) -> float:
    moves = dict.fromkeys(range(instances), MOVE)
    began, steps = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        steps += len(await environment.step(moves))
    return steps / (time.perf_counter() - began)


async def interleaved(sides: Sequence[tuple[SandboxedEnvironment, int]], rounds: int = 15) -> list[float]:
    """Median steps a second of each side, measured in turns so that neighbours disturb all alike."""
    seen: list[list[float]] = [[] for _ in sides]
    for _ in range(rounds):
        for at, (environment, instances) in enumerate(sides):
            seen[at].append(await steps_per_s(environment, instances, 0.1))
    return [statistics.median(values) for values in seen]


async def opening() -> Rows:
    async def median_ms(pool: SandboxPool, count: int) -> float:
        seen: list[float] = []
        for _ in range(count):
            began = time.perf_counter()
            async with await pool.open(TINY) as environment:
                await environment.reset([0])
                await environment.step({0: MOVE})
                seen.append((time.perf_counter() - began) * 1e3)
            # A warm child is one that had the time to be made.
            await asyncio.sleep(0.05)
        return statistics.median(seen)

    script = f"import numpy\n{TINY}\nenvironment = Tiny()\nenvironment.reset(seed=0)\nenvironment.step('x')\n"
    spawned: list[float] = []
    async with SandboxPool(CONFINED, numpy=True, warm=0) as cold, SandboxPool(CONFINED, numpy=True) as warm:
        cold_ms, warm_ms = await median_ms(cold, 30), await median_ms(warm, 30)
        for _ in range(8):
            began = time.perf_counter()
            await asyncio.to_thread(subprocess.run, [sys.executable, "-c", script], check=True)
            spawned.append((time.perf_counter() - began) * 1e3)
    process_ms = statistics.median(spawned)
    cold_ratio, warm_ratio = cold_ms / process_ms, warm_ms / cold_ms
    timed = f"({cold_ms:.1f} of {process_ms:.0f} ms)"
    return [
        (
            "7 cold open + reset + step : subprocess with numpy",
            "<= 0.20",
            f"{cold_ratio:.3f} {timed}",
            cold_ratio <= 0.2,
        ),
        ("8 warm open : cold", "<= 0.6", f"{warm_ratio:.2f} ({warm_ms:.1f} ms)", warm_ratio <= 0.6),
    ]


def _memory_kb(pid: int) -> dict[str, int]:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    return {line.split(":")[0]: int(line.split()[1]) for line in lines}


async def size() -> Rows:
    async with SandboxPool(CONFINED, numpy=True, warm=0) as pool:
        children: dict[int, int] = {}
        for instances in (1, 64):
            known = set(processes_of(pool.zygote_pids))
            environment = await pool.open(TINY, instances)
            await environment.reset([0] * instances)
            await environment.step(dict.fromkeys(range(instances), MOVE))
            found = set(processes_of(pool.zygote_pids))
            children[instances] = max(found - known or found)
        faults = int(Path(f"/proc/{children[1]}/stat").read_text().rpartition(")")[2].split()[7])
        rows: Rows = [("9 minor faults of a child until its first step, numpy", "<= 800", str(faults), faults <= 800)]
        try:
            private_mb = _memory_kb(children[1])["Private_Dirty"] / 1024
            instance_mb = _memory_kb(children[64])["Pss"] / 64 / 1024
        except PermissionError:
            return [*rows, ("10 memory of a child", "<= 4 MB", "only root may look", True)]
    return [
        *rows,
        ("10 private dirty memory of a child, MB", "<= 4", f"{private_mb:.1f}", private_mb <= 4),
        ("10 memory (PSS) per instance at K = 64, MB", "<= 0.5", f"{instance_mb:.2f}", instance_mb <= 0.5),
    ]


async def batching() -> Rows:
    async with SandboxPool(CONFINED, warm=0) as confined, SandboxPool(OPEN, walls=NO_KERNEL_WALLS, warm=0) as bare_pool:
        on, off = await confined.open(TINY, 64), await bare_pool.open(TINY, 64)
        single, grid = await confined.open(TINY, 1), await confined.open(GRID, 64)
        for environment in (on, off, single, grid):
            await environment.reset([0] * environment.instances)
        walls_on, walls_off, one = await interleaved([(on, 64), (off, 64), (single, 1)])
        inside: list[float] = []
        outside: list[float] = []
        local = in_process(GRID)
        for _ in range(15):
            inside.append(await steps_per_s(grid, 64, 0.1))
            began, steps = time.perf_counter(), 0
            while time.perf_counter() - began < 0.1:
                local.step("x")  # type: ignore[attr-defined]
                steps += 1
            outside.append(steps / (time.perf_counter() - began))
    ratio, width = walls_on / walls_off, walls_on / one
    grids = statistics.median(inside) / statistics.median(outside)
    return [
        ("11 batched K = 64, all walls : none", ">= 0.8", f"{ratio:.2f}", ratio >= 0.8),
        ("12 K = 64 : K = 1, steps a second", ">= 15", f"{width:.0f} ({one:,.0f} alone)", width >= 15),
        ("13 grid K = 64 : in-process", ">= 0.6", f"{grids:.2f}", grids >= 0.6),
        ("14 tiny K = 64, steps a second", ">= 30,000", f"{walls_on:,.0f}", walls_on >= 30_000),
    ]


async def framing() -> Rows:
    texts = ["You stand in a hall. There is a door to the north and a lamp on the table, lit and warm."] * 64
    reply = (texts, [0.0] * 64, [0] * 64, {}, "")
    plain = json.dumps(reply).encode()
    packed = wire.encode(reply)
    seen: dict[str, list[float]] = {"msgspec": [], "json": []}
    for _ in range(15):
        for name, encode, decode in (
            ("msgspec", lambda: wire.encode(reply), lambda: wire.decode_rows(packed)),
            ("json", lambda: json.dumps(reply).encode(), lambda: json.loads(plain)),
        ):
            began = time.perf_counter()
            for _ in range(200):
                encode(), decode()
            seen[name].append(time.perf_counter() - began)
    ratio = statistics.median(seen["json"]) / statistics.median(seen["msgspec"])
    return [("15 json : msgspec, time for a K = 64 reply there and back", ">= 2", f"{ratio:.1f}", ratio >= 2)]


async def by_thread_hops(seconds: float) -> float:
    """The released way: `exec` in the trainer, every step a hop to a thread with a timeout; 64 at once."""
    loop, environments = asyncio.get_running_loop(), [in_process(TINY) for _ in range(64)]

    async def play(environment: object, threads: ThreadPoolExecutor, end: float) -> int:
        steps = 0
        while time.perf_counter() < end:
            await asyncio.wait_for(loop.run_in_executor(threads, environment.step, "x"), 30)  # type: ignore[attr-defined]
            steps += 1
        return steps

    with ThreadPoolExecutor(128) as threads:
        began = time.perf_counter()
        steps = await asyncio.gather(*(play(one, threads, began + seconds) for one in environments))
        return sum(steps) / (time.perf_counter() - began)


async def by_tasks(environments: Sequence[SandboxedEnvironment], seconds: float) -> float:
    async def play(environment: SandboxedEnvironment, end: float) -> int:
        steps = 0
        while time.perf_counter() < end:
            steps += len(await environment.step({0: MOVE}))
        return steps

    began = time.perf_counter()
    steps = await asyncio.gather(*(play(one, began + seconds) for one in environments))
    return sum(steps) / (time.perf_counter() - began)


def switches() -> int:
    """Context switches of this process and its children so far."""
    count = 0
    for pid in (os.getpid(), *processes_of([os.getpid()])):
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        count += sum(int(line.split()[1]) for line in lines if "ctxt_switches" in line)
    return count


def versus() -> Rows:
    config = SandboxConfig(workers=2)
    seen: dict[str, list[float]] = {"hops": [], "one": [], "tasks": []}
    per_step: list[float] = []
    pool = SandboxPool(config)
    with asyncio.Runner() as runner:
        one, many = runner.run(_opened(pool))
        for _ in range(9):
            seen["hops"].append(runner.run(by_thread_hops(0.4)))
            seen["one"].append(runner.run(steps_per_s(one, 64, 0.4)))
            before = switches()
            seen["tasks"].append(runner.run(by_tasks(many, 0.4)))
            per_step.append((switches() - before) / (seen["tasks"][-1] * 0.4))
        runner.run(pool.close())
    hops, batched, tasks = (statistics.median(values) for values in seen.values())
    return [
        ("released way (exec, a thread hop a step), 64 at once, steps a second", "", f"{hops:,.0f}", True),
        ("64 of one program : released way", ">= 10", f"{batched / hops:.1f} ({batched:,.0f})", batched >= 10 * hops),
        ("64 programs with one instance each, asyncio : released way", "", f"{tasks / hops:.2f} ({tasks:,.0f})", True),
        ("context switches a step, asyncio", "", f"{statistics.median(per_step):.2f}", True),
    ]


async def _opened(pool: SandboxPool) -> tuple[SandboxedEnvironment, list[SandboxedEnvironment]]:
    await pool.start()
    one = await pool.open(TINY, 64)
    await one.reset([0] * 64)
    many = await asyncio.gather(*(pool.open(TINY) for _ in range(64)))
    await asyncio.gather(*(environment.reset([0]) for environment in many))
    return one, list(many)
