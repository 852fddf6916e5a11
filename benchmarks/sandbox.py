"""The sandbox's bars, measured on this machine: counts, and ratios between things timed in turns within one run.

    python benchmarks/sandbox.py                 # all rows, about five minutes on two cores
    python benchmarks/sandbox.py 7 8 11 versus   # some of them
    python benchmarks/sandbox.py soak            # 5,000 episodes over 500 programs

Run from the repository's root with `PYTHONPATH=src:.`. Milliseconds vary with the machine and its neighbours; judge
by counts and ratios. Row numbers are those of docs/sandbox.md.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path

from sandbox_speed import MOVE, Rows, batching, framing, opening, size, versus
from tests.sandbox import arena, bare
from tests.sandbox.ordinary import run_as_ordinary_user
from tests.sandbox.programs import COUNTER, CRASH, SLOW, SPIN
from tests.sandbox.test_pool import processes_of

from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.sandbox.host.sandboxed_environment import DeadlineExceeded, SandboxFailure
from openspade.settings.worlds import SandboxConfig
from openspade.types import Action, StepResult


async def attacks() -> Rows:
    rows: Rows = []
    names = arena.all_attacks()
    slowest_s = 0.0
    for policy in arena.POLICIES:
        done = await asyncio.to_thread(run_as_ordinary_user, arena.__file__, json.dumps([policy]))
        reports = json.loads(done.stdout)
        slowest_s = max(slowest_s, *(report["seconds"] for report in reports))
        won = sum(bool(report["succeeded"]) for report in reports)
        rows.append((f"1 attacks that succeed, {policy}, ordinary user", f"0 of {len(names)}", str(won), won == 0))
    reached = len(json.loads((await asyncio.to_thread(run_as_ordinary_user, bare.__file__)).stdout))
    rows.append(("2 attacks that succeed under plain exec", ">= 55", str(reached), reached >= 55))
    done = await asyncio.to_thread(run_as_ordinary_user, arena.__file__, json.dumps(["host-only"]))
    won = sum(bool(report["succeeded"]) for report in json.loads(done.stdout))
    rows.append(("2 attacks that succeed in a process of their own without walls", ">= 35", str(won), won >= 35))
    for wall in arena.KERNEL_WALLS:
        escapes = [name for name in names if name.startswith("a")]
        won = sum(bool(report.succeeded) for report in await arena.run_all(wall, escapes))
        rows.append((f"3 escapes of the import gate that succeed, {wall} alone", "0", str(won), won == 0))
    bar_s = arena.STEP_S * arena.WALL_FACTOR + 0.5
    rows.append(("4 longest containment, s", f"<= {bar_s}", f"{slowest_s:.2f}", slowest_s <= bar_s))
    return rows


async def verdict_of(pool: SandboxPool, number: int, episodes: int = 1) -> bool:
    """Whether program `number` ended as it must; one in seven hangs, one in seven crashes."""
    source = SPIN if number % 7 == 0 else CRASH if number % 7 == 1 else COUNTER
    source = source.replace("import ctypes", "ctypes = __import__('dataclasses').sys.modules['ctypes']")
    wanted = {0: "DeadlineExceeded", 1: "ChildDied SIGSEGV"}.get(number % 7, "honest")
    try:
        async with await pool.open(source) as environment:
            for seed in range(episodes):
                await environment.reset([seed])
                step = (await environment.step({0: MOVE}))[0]
            ended = "honest" if isinstance(step, StepResult) else "fault"
    except SandboxFailure as failure:
        ended = f"{type(failure).__name__} {getattr(failure, 'signal', '')}".strip()
    return ended == wanted


def resident_kb(pids: Sequence[int]) -> int:
    words = [Path(f"/proc/{pid}/statm").read_text().split() for pid in pids]
    return sum(int(fields[1]) for fields in words) * os.sysconf("SC_PAGESIZE") // 1024


async def churn() -> Rows:
    return await _many_programs("5", programs=300, episodes=1)


async def soak() -> Rows:
    return await _many_programs("soak", programs=500, episodes=14)


async def _many_programs(row: str, *, programs: int, episodes: int) -> Rows:
    """Honest programs play `episodes` each: 5 of 7 programs do, so 500 programs with 14 make 5,000 episodes."""
    config = SandboxConfig(workers=2, step_timeout_s=0.05, wall_factor=40)
    async with SandboxPool(config) as pool:
        turns = asyncio.Semaphore(8)

        async def judged(number: int) -> bool:
            async with turns:
                return await verdict_of(pool, number, episodes)

        await asyncio.gather(*(judged(number) for number in range(programs // 5)))
        zygotes = [pid for pid in processes_of([os.getpid()]) if pid in pool.zygote_pids or _is_inner(pid, pool)]
        fds, ours_kb, theirs_kb = (
            len(list(Path("/proc/self/fd").iterdir())),
            resident_kb([os.getpid()]),
            resident_kb(zygotes),
        )
        began = time.perf_counter()
        right = await asyncio.gather(*(judged(number) for number in range(programs)))
        seconds = time.perf_counter() - began
        growth = max(resident_kb([os.getpid()]) / ours_kb, resident_kb(zygotes) / theirs_kb) - 1
        fd_growth = len(list(Path("/proc/self/fd").iterdir())) - fds
        left = pool.children - 2 * len(pool.zygote_pids)
    wrong = right.count(False)
    return [
        (f"{row} wrong verdicts of {programs} programs ({seconds:.0f} s)", "0", str(wrong), wrong == 0),
        (f"{row} children left beside the warm ones", "0", str(max(left, 0)), left <= 0),
        (f"{row} growth of open descriptors", "0", str(max(fd_growth, 0)), fd_growth <= 8),
        (f"{row} growth of resident memory, trainer or zygotes", "< 5 %", f"{growth:.1%}", growth < 0.05),
    ]


def _is_inner(pid: int, pool: SandboxPool) -> bool:
    """With namespaces the zygote proper is the only child of the process that the pool started."""
    parent = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return parent in pool.zygote_pids


async def endless() -> Rows:
    config = SandboxConfig(workers=2, step_timeout_s=0.1, wall_factor=20)
    async with SandboxPool(config) as pool:

        async def hang() -> bool:
            async with await pool.open(SPIN) as environment:
                try:
                    await environment.reset([0])
                except DeadlineExceeded:
                    return True
            return False

        hung = sum(await asyncio.gather(*(hang() for _ in range(50))))
        left = max(0, pool.children - 2 * len(pool.zygote_pids))
        began = time.perf_counter()
        async with await pool.open(COUNTER) as environment:
            await environment.reset([0])
        served_ms = (time.perf_counter() - began) * 1e3
    return [
        ("50 endless loops told", "50", str(hung), hung == 50),
        ("children left afterwards", "0", str(left), left == 0),
        ("an honest program is served after, ms", "< 1000", f"{served_ms:.1f}", served_ms < 1000),
    ]


async def hogs() -> Rows:
    """Twenty honest steps among six hogs: how many does each rule kill?"""
    hog = [sys.executable, "-c", "while True: pass"]
    spinning = [await asyncio.create_subprocess_exec(*hog) for _ in range(6)]
    killed: dict[str, int] = {}
    try:
        for rule, config in {
            "CPU deadline": SandboxConfig(workers=1, step_timeout_s=0.4, wall_factor=20),
            "wall deadline": SandboxConfig(workers=1, step_timeout_s=0.4, wall_factor=1),
        }.items():
            async with SandboxPool(config) as pool:
                killed[rule] = 0
                for _ in range(20):
                    async with await pool.open(SLOW) as environment:
                        await environment.reset([0])
                        try:
                            await environment.step({0: Action(text="1500000")})
                        except DeadlineExceeded:
                            killed[rule] += 1
    finally:
        for process in spinning:
            process.kill()
            await process.wait()
    cpu, wall = killed.values()
    return [
        ("16 honest steps killed among 6 hogs, CPU deadline", "0 of 20", str(cpu), cpu == 0),
        ("16 the same by a wall deadline, for comparison", ">= 5 of 20", str(wall), wall >= 5),
    ]


ROWS: dict[str, tuple[Callable[[], Rows | Coroutine[object, object, Rows]], str]] = {
    "attacks": (attacks, "1 2 3 4"),
    "churn": (churn, "5"),
    "endless": (endless, ""),
    "opening": (opening, "7 8"),
    "size": (size, "9 10"),
    "batching": (batching, "11 12 13 14"),
    "framing": (framing, "15"),
    "hogs": (hogs, "16"),
    "versus": (versus, ""),
    "soak": (soak, ""),
}
IN_TESTS = {
    "6": "test_orphans.py",
    "17": "test_determinism.py",
    "18 22": "test_wire.py",
    "19 20": "test_filter.py",
    "21": "test_doctor.py",
}


def main(wanted: Sequence[str]) -> int:
    failed = 0
    for name, (measure, numbers) in ROWS.items():
        if wanted and name not in wanted and not set(numbers.split()) & set(wanted):
            continue
        measured = measure()
        for what, bar, value, met in measured if isinstance(measured, list) else asyncio.run(measured):
            failed += not met
            print(f"{'ok  ' if met else 'MISS'} {what:<72} {bar:>12}   {value}", flush=True)
    for numbers, file in IN_TESTS.items():
        if wanted and not set(numbers.split()) & set(wanted):
            continue
        command = [sys.executable, "-m", "pytest", "-q", "--no-header", f"tests/sandbox/{file}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        failed += done.returncode != 0
        words = done.stdout.strip().splitlines()[-1]
        print(f"{'MISS' if done.returncode else 'ok  '} {numbers} tests/sandbox/{file:<55} {'all pass':>16}   {words}")
    return failed


if __name__ == "__main__":
    sys.exit(bool(main(sys.argv[1:])))
