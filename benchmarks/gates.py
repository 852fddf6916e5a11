"""What the gates cost and what they catch: `PYTHONPATH=. python benchmarks/gates.py` prints docs/gates.md's tables.

Designs are judged one at a time by one worker. CPU is counted, not time on the wall: ours by gate, the children's as a
mean over all designs (their processes report it when they are gone).
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import statistics
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

from tests.end_to_end.test_gates import EXAMPLES, GOOD, ROOT, draft_of
from tests.end_to_end.test_gates_mutants import mutants

from openspade.sandbox.pool import SandboxPool
from openspade.settings.worlds import GatesConfig, SandboxConfig
from openspade.types import Verdict
from openspade.verifier.ladder import Verifier
from openspade.verifier.novelty import Nothing


@dataclass(frozen=True, kw_only=True)
class Judged:
    """One program with its verdict, and what it took of our CPU and of the wall clock."""

    name: str
    verdict: Verdict
    ours_ms: float
    wall_ms: float


async def judge(programs: dict[str, str]) -> list[Judged]:
    judged: list[Judged] = []
    async with SandboxPool(SandboxConfig(workers=1)) as pool:
        verifier = Verifier(pool, Nothing(), GatesConfig())
        for name, source in programs.items():
            started_s, used_s = time.perf_counter(), time.process_time()
            (verdict,) = await verifier.verify([draft_of(f"```python\n{source}```\n", name)])
            ours_ms, wall_ms = 1000 * (time.process_time() - used_s), 1000 * (time.perf_counter() - started_s)
            judged.append(Judged(name=name, verdict=verdict, ours_ms=ours_ms, wall_ms=wall_ms))
    return judged


def children_ms() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (used.ru_utime + used.ru_stime)


def measure(programs: dict[str, str]) -> tuple[list[Judged], float]:
    """All verdicts, and the children's CPU milliseconds a design beyond those of starting a pool for one."""
    first = dict(list(programs.items())[:1])
    before = children_ms()
    asyncio.run(judge(first))
    alone = children_ms() - before
    judged = asyncio.run(judge(programs))
    return judged, (children_ms() - before - 2 * alone) / (len(programs) - 1)


def print_costs(judged: list[Judged], theirs_ms: float) -> None:
    ours: dict[str, list[float]] = defaultdict(list)
    for one in judged:
        for gate in one.verdict.gates:
            ours[gate.gate].append(gate.cpu_ms)
    refused = [one.name for one in judged if not one.verdict.accepted]
    median_ms = statistics.median(one.ours_ms for one in judged)
    print(f"{len(judged)} designs, {len(judged) - len(refused)} accepted {refused or ''}")
    print(f"our CPU a design: median {median_ms:.0f} ms; the children's: mean {theirs_ms:.0f} ms")
    walls_ms = [one.wall_ms for one in judged]
    print(f"wall a design: median {statistics.median(walls_ms):.0f} ms, slowest {max(walls_ms):.0f} ms")
    print("\n| gate | our CPU, median ms |\n|---|---|")
    for gate, times in ours.items():
        print(f"| `{gate}` | {statistics.median(times):.1f} |")


def print_catches(judged: list[Judged]) -> None:
    gates: dict[str, Counter[str]] = defaultdict(Counter)
    for one in judged:
        problems = one.verdict.problems
        gates[one.name.split(": ")[1]][problems[0].gate if problems else "missed"] += 1
    missed = sum(counts["missed"] for counts in gates.values())
    print(f"\n{len(judged)} mutants, {len(judged) - missed} caught\n\n| broken | mutants | caught by |\n|---|---|---|")
    for name, counts in gates.items():
        print(
            f"| {name} | {counts.total()} | {', '.join(f'`{gate}` {count}' for gate, count in counts.most_common())} |"
        )


def print_refusals_of_the_good(programs: dict[str, str], rewrites: int) -> None:
    """Comments give a program other gate seeds: how often is a good one refused?"""
    refused: Counter[str] = Counter()
    for number in range(rewrites):
        judged = asyncio.run(judge({name: f"# {number}\n{source}" for name, source in programs.items()}))
        refused.update(f"{one.name} ({one.verdict.problems[0].gate})" for one in judged if one.verdict.problems)
    names = ", ".join(f"{name} {count}" for name, count in refused.items()) or "none"
    print(f"\n{len(programs)} good programs, {rewrites} rewrites: {refused.total()} refused ({names})")


def read(paths: list[Path]) -> dict[str, str]:
    return {path.stem: path.read_text(encoding="utf-8") for path in paths}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--no-mutants", action="store_true", help="only the pool and the examples, in a few seconds")
    parser.add_argument("--rewrites", type=int, default=0, help="also judge every good program under so many seeds")
    asked = parser.parse_args()
    pool = sorted((ROOT / "src" / "openspade" / "pool" / "starter").glob("*.py"))
    print_costs(*measure(read([*pool, *EXAMPLES])))
    if asked.rewrites:
        print_refusals_of_the_good(read([*pool, *EXAMPLES, *GOOD]), asked.rewrites)
    if not asked.no_mutants:
        print_catches(asyncio.run(judge(mutants())))


if __name__ == "__main__":
    main()
