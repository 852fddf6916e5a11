"""What the gates cost and what they catch: `python benchmarks/gates.py` prints the tables of docs/gates.md.

Designs are judged one at a time by one worker. `wall` is what a design takes on this machine, `ours` the CPU of our
side by gate; the child's CPU is the rest of the wall, less what other processes take.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from openspade.config import GatesConfig, SandboxConfig
from openspade.sandbox.pool import SandboxPool
from openspade.types import Verdict
from openspade.verifier.ladder import Nothing, Verifier

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))


@dataclass(frozen=True, kw_only=True)
class Judged:
    """One program with its verdict and what it took."""

    name: str
    verdict: Verdict
    wall_s: float


async def judge(programs: dict[str, str]) -> list[Judged]:
    from tests.end_to_end.test_gates import draft_of

    judged: list[Judged] = []
    async with SandboxPool(SandboxConfig(workers=1)) as pool:
        verifier = Verifier(pool, Nothing(), GatesConfig())
        first = next(iter(programs.values()))
        await verifier.verify([draft_of(f"```python\n{first}```\n")])  # starts the second hash seed's zygote
        for name, source in programs.items():
            started_s = time.perf_counter()
            (verdict,) = await verifier.verify([draft_of(f"```python\n{source}```\n", name)])
            judged.append(Judged(name=name, verdict=verdict, wall_s=time.perf_counter() - started_s))
    return judged


def read(paths: Iterable[Path]) -> dict[str, str]:
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(paths)}


def print_costs(judged: list[Judged]) -> None:
    walls = sorted(one.wall_s * 1000 for one in judged)
    ours: dict[str, list[float]] = defaultdict(list)
    for one in judged:
        for gate in one.verdict.gates:
            ours[gate.gate].append(gate.cpu_ms)
    refused = [one.name for one in judged if not one.verdict.accepted]
    print(f"{len(judged)} designs, {len(judged) - len(refused)} accepted {refused or ''}")
    print(
        f"wall a design: median {statistics.median(walls):.0f} ms, 90 % under {walls[int(0.9 * len(walls))]:.0f} ms, "
        f"slowest {walls[-1]:.0f} ms"
    )
    total = sum(statistics.median(times) for times in ours.values())
    print(f"our CPU a design: {total:.0f} ms (sum of the medians)\n\n| gate | our CPU, median ms |\n|---|---|")
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--no-mutants", action="store_true", help="only the pool, in a few seconds")
    asked = parser.parse_args()
    print_costs(asyncio.run(judge(read((ROOT / "src" / "openspade" / "pool" / "starter").glob("*.py")))))
    if not asked.no_mutants:
        from tests.end_to_end.test_gates_mutants import mutants

        print_catches(asyncio.run(judge(mutants())))


if __name__ == "__main__":
    main()
