"""What the gates cost and what they catch: `PYTHONPATH=. python benchmarks/gates.py` prints docs/gates.md's tables.

Designs are judged one at a time by one worker. CPU is counted, not time on the wall: ours and the sandboxed program's,
gate by gate. Starting the worker is not counted: a run does it once.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time
import timeit
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.end_to_end.mutants import POOL, held_out, tuned
from tests.end_to_end.test_gates import ANY_LIKENESS, EXAMPLES, GOOD, SLOW, draft_of

from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.settings.worlds import SandboxConfig
from openspade.types import Verdict
from openspade.verifier.gates.novelty import Nothing, looks_of
from openspade.verifier.ladder import Verifier

BAR_MS = 250.0
"""Median CPU for all gates of one design."""
BAR_S = 20.0


@dataclass(frozen=True, kw_only=True)
class Judged:
    """One program with its verdict, and how long it took by the clock."""

    name: str
    verdict: Verdict
    wall_ms: float

    @property
    def cpu_ms(self) -> float:
        return sum(gate.cpu_ms for gate in self.verdict.gates)

    @property
    def child_ms(self) -> float:
        return sum(gate.child_ms for gate in self.verdict.gates)


async def judge(programs: Mapping[str, str]) -> list[Judged]:
    judged: list[Judged] = []
    async with SandboxPool(SandboxConfig(workers=1)) as pool:
        verifier = Verifier(pool, Nothing(), ANY_LIKENESS)
        for name, source in programs.items():
            started_s = time.perf_counter()
            (verdict,) = await verifier.verify([draft_of(f"```python\n{source}```\n", name)])
            judged.append(Judged(name=name, verdict=verdict, wall_ms=1000 * (time.perf_counter() - started_s)))
    return judged


def print_costs(judged: Sequence[Judged]) -> None:
    refused = [one.name for one in judged if not one.verdict.accepted]
    cpu_ms, walls_ms = [one.cpu_ms for one in judged], [one.wall_ms for one in judged]
    print(f"{len(judged)} designs, {len(judged) - len(refused)} accepted {refused or ''}\n")
    print("| a design | median | slowest | bar |\n|---|---|---|---|")
    print(f"| CPU, ms | {statistics.median(cpu_ms):.0f} | {max(cpu_ms):.0f} | median {BAR_MS:.0f} |")
    child_ms = [one.child_ms for one in judged]
    print(f"| of it in the sandbox, ms | {statistics.median(child_ms):.0f} | {max(child_ms):.0f} | |")
    print(f"| by the clock, ms | {statistics.median(walls_ms):.0f} | {max(walls_ms):.0f} | |")
    design = next(one.verdict.draft.design for one in judged if one.verdict.draft.design)
    looks_s = timeit.repeat(lambda: looks_of(design, 0.9), timer=time.process_time, number=1, repeat=20)
    looks_ms = [1000 * seconds for seconds in looks_s]
    print(f"| its looks, for `novel`, ms | {statistics.median(looks_ms):.1f} | {max(looks_ms):.1f} | |")
    (slow,) = asyncio.run(judge({"slow": SLOW}))
    gate = slow.verdict.problems[0].gate if slow.verdict.problems else "accepted"
    told = f"{slow.cpu_ms:.0f}, by the clock {slow.wall_ms:.0f}"
    print(f"| a design that is slow everywhere, stopped after CPU, ms | | {told} | {1000 * BAR_S:.0f}: `{gate}` |")


def print_gates(judged: Sequence[Judged]) -> None:
    costs: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for one in judged:
        for gate in one.verdict.gates:
            costs[gate.gate].append((gate.cpu_ms, gate.child_ms))
    print("\n| gate | passed | CPU, median ms | of it in the sandbox |\n|---|---|---|---|")
    passed = Counter(gate.gate for one in judged for gate in one.verdict.gates if gate.passed)
    for gate, pairs in costs.items():
        cpu_ms, child_ms = (statistics.median(column) for column in zip(*pairs, strict=True))
        print(f"| `{gate}` | {passed[gate]} of {len(pairs)} | {cpu_ms:.1f} | {child_ms:.1f} |")


def print_catches(title: str, judged: Sequence[Judged]) -> None:
    gates: dict[str, Counter[str]] = defaultdict(Counter)
    for one in judged:
        problems = one.verdict.problems
        gates[one.name.split(": ")[1]][problems[0].gate if problems else "missed"] += 1
    missed = sum(counts["missed"] for counts in gates.values())
    print(f"\n{title}: {len(judged)} mutants, {len(judged) - missed} caught\n")
    print("| broken | mutants | caught by |\n|---|---|---|")
    for name, counts in gates.items():
        told = ", ".join(f"`{gate}` {n}" if gate != "missed" else f"**missed {n}**" for gate, n in counts.most_common())
        print(f"| {name} | {counts.total()} | {told} |")


def print_refusals_of_the_good(programs: Mapping[str, str], rewrites: int) -> None:
    """Comments give a program other gate seeds: how often is a good one refused?"""
    refused: Counter[str] = Counter()
    for number in range(rewrites):
        judged = asyncio.run(judge({name: f"# {number}\n{source}" for name, source in programs.items()}))
        refused.update(f"{one.name} ({one.verdict.problems[0].gate})" for one in judged if one.verdict.problems)
    names = ", ".join(f"{name} {count}" for name, count in refused.items()) or "none"
    print(f"\n{len(programs)} good programs, {rewrites} rewrites: {refused.total()} refused ({names})")


def read(paths: Sequence[Path]) -> dict[str, str]:
    return {path.stem: path.read_text(encoding="utf-8") for path in paths if path.suffix == ".py"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--no-mutants", action="store_true", help="only the pool and the examples, in a few seconds")
    parser.add_argument("--rewrites", type=int, default=0, help="also judge every good program under so many seeds")
    asked = parser.parse_args()
    judged = asyncio.run(judge(read([*POOL, *EXAMPLES])))
    print_costs(judged)
    print_gates(judged)
    if asked.rewrites:
        print_refusals_of_the_good(read([*POOL, *EXAMPLES, *GOOD]), asked.rewrites)
    if not asked.no_mutants:
        print_catches("Tuned on", asyncio.run(judge(tuned())))
        print_catches("Held out", asyncio.run(judge(held_out())))


if __name__ == "__main__":
    main()
