"""Plays every given environment through the sandbox: is a question made in time, is its own answer taken, and no other?

    PYTHONPATH=src:. python benchmarks/given.py rlve --levels 1 2 3 4 --seeds 8

gives the table of docs/environments.md and what given/rlve_pool.py leaves out. Levels count from 1, RLVE's difficulties
from 0. An environment counts as solved where its own answer wins every instance.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import random
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from openspade.curriculum.given_families import GIVEN, GivenFamily
from openspade.sandbox.failures import ProgramFault, SandboxFailure
from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.sandbox.host.sandboxed_environment import SandboxedEnvironment
from openspade.settings.worlds import SandboxConfig
from openspade.types import Action, StepResult

AT_ONCE = 2


@dataclass(frozen=True, kw_only=True)
class Seen:
    """One environment at one level. `lost`: why it made no question; `unsolved`: why its answer did not win."""

    name: str
    level: int
    lost: str = ""
    unsolved: str = ""
    null_won: int = 0
    characters: int = 0
    make_s: float = 0.0
    judge_s: float = 0.0


async def look(pool: SandboxPool, family: GivenFamily, level: int, seeds: int) -> Seen:
    """Each seed twice: one instance is answered by the environment's own solution, the other by nothing."""
    design = family.design(level, random.Random(level))
    try:
        async with await pool.open(design.source, 2 * seeds) as environment:
            before_s = environment.cpu_s
            first = await environment.reset([*range(seeds), *range(seeds)])
            make_s = (environment.cpu_s - before_s) / (2 * seeds)
            faults = [one.message for one in first if isinstance(one, ProgramFault)]
            if faults:
                return Seen(name=family.name, level=level, lost=f"{len(faults) // 2} of {seeds}: {faults[0]}")
            longest = max(len(one.text) for one in first if not isinstance(one, ProgramFault))
            unsolved, null_won, judge_s = await answer(environment, seeds)
    except SandboxFailure as failure:
        return Seen(name=family.name, level=level, lost=f"{type(failure).__name__}: {failure}")
    return Seen(
        name=family.name,
        level=level,
        unsolved=unsolved,
        null_won=null_won,
        characters=longest,
        make_s=make_s,
        judge_s=judge_s,
    )


async def answer(environment: SandboxedEnvironment, seeds: int) -> tuple[str, int, float]:
    """Why the solution did not win everywhere ("" if it did), wins without an answer, CPU seconds of an answer."""
    before_s = environment.cpu_s
    plans = await environment.plan(range(seeds))
    won, unsolved = 0, ""
    for seed, plan in plans.items():
        if isinstance(plan, ProgramFault):
            unsolved = plan.message
            continue
        won += await earned(environment, seed, plan[0]) == 1.0
    nulls = [await earned(environment, seed, Action(text="")) == 1.0 for seed in range(seeds, 2 * seeds)]
    return unsolved or (f"{won} of {seeds} won" if won < seeds else ""), sum(nulls), environment.cpu_s - before_s


async def earned(environment: SandboxedEnvironment, instance: int, action: Action) -> float:
    result = (await environment.step({instance: action}))[instance]
    return result.reward if isinstance(result, StepResult) else 0.0


async def look_at_all(families: Sequence[GivenFamily], levels: Sequence[int], seeds: int) -> list[Seen]:
    turns = asyncio.Semaphore(AT_ONCE)
    done = itertools.count(1)
    asked = [(family, level) for level in levels for family in families if level <= family.levels]
    # Judged by CPU seconds alone, as the limits of a run are meant, however busy this machine is.
    async with SandboxPool(SandboxConfig(workers=1, wall_factor=1000)) as pool:

        async def one(family: GivenFamily, level: int) -> Seen:
            async with turns:
                seen = await look(pool, family, level, seeds)
                print(f"\r{next(done)} of {len(asked)} ", end="", file=sys.stderr)
                return seen

        began = time.perf_counter()
        first = await one(*asked[0])
        print(f"the first program of the world was opened and played after {time.perf_counter() - began:.1f} s\n")
        return [first, *await asyncio.gather(*(one(family, level) for family, level in asked[1:]))]


def report(seen: Sequence[Seen], levels: Sequence[int]) -> None:
    print("| level | environments | made | solved by their own answer | won by none | CPU s a question: median, most |")
    print("|---|---|---|---|---|---|")
    for level in levels:
        here = [one for one in seen if one.level == level]
        made = [one for one in here if not one.lost]
        solved = sum(not one.unsolved for one in made)
        null = sum(one.null_won > 0 for one in made)
        times = [one.make_s for one in made]
        spread = f"{statistics.median(times):.4f}, {max(times):.2f}"
        print(f"| {level} | {len(here)} | {len(made)} | {solved} | {null} | {spread} |")
    print("\nleft out:")
    for one in seen:
        if one.lost:
            print(f"  {one.name}, level {one.level}: {one.lost[:150]}")
    print("\nnot solved by their own answer, wins at each level:")
    for name in sorted({one.name for one in seen if one.unsolved}):
        print(f"  {name}: {', '.join(one.unsolved or 'all' for one in seen if one.name == name)[:150]}")
    print("\nlongest questions:")
    for one in sorted(seen, key=lambda one: -one.characters)[:5]:
        print(f"  {one.name}, level {one.level}: {one.characters} characters")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", choices=GIVEN)
    parser.add_argument("--levels", type=int, nargs="+", default=[1, 4])
    parser.add_argument("--seeds", type=int, default=4)
    asked = parser.parse_args()
    given = GIVEN[asked.source]
    began = time.perf_counter()
    families = [GivenFamily(given=given, name=name) for name in given.names()]
    report(asyncio.run(look_at_all(families, asked.levels, asked.seeds)), asked.levels)
    print(f"\n{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
