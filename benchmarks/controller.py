"""What the controller itself costs: thousands of episodes at once with a policy that answers at once.

PYTHONPATH=. python benchmarks/controller.py [--episodes 2000] [--designs 40] [--profile 15] [--json]

Multi-turn environments of the starter pool are played in the real sandbox through the real episode runner, chat
template, call parser and outcome rules; the scripted policy answers with a move that solves nothing. Reported is the
CPU of this process (not of the sandbox's children, which are reported beside it) for 1,000 turns.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import json
import pstats
import resource
import sys
import time
from pathlib import Path

from openspade.assembly import build_playtester
from openspade.engine.scripted import ScriptedEngine
from openspade.recipe import parse
from openspade.roles.source import read_design
from openspade.rollout.playtest import Plan
from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.tokens import Prompt
from openspade.types import Design, Playtest

POOL = Path(__file__).parents[1] / "src" / "openspade" / "pool" / "starter"
MOVE = "I try \\boxed{0}, though I am not sure that it is right."


def several_turns(wanted: int) -> list[Design]:
    """Designs of the pool that last for more than one move."""
    read = [read_design(path.read_text(encoding="utf-8")) for path in sorted(POOL.glob("*.py"))]
    found = [design for design in read if isinstance(design, Design) and design.max_turns > 3]
    return (found * (wanted // len(found) + 1))[:wanted]


async def play(designs: list[Design], episodes: int) -> list[Playtest]:
    """All episodes at once, half of them hinted."""
    config = parse({"playtest": {"concurrency": episodes}, "policy": {"engine": "scripted", "context_tokens": 200_000}})

    def answer(_prompt: Prompt) -> str:
        return MOVE

    per_design = max(1, episodes // len(designs) // 2)
    plans = [Plan(design=d, seeds=tuple(range(per_design)), plays=1, hinted=True) for d in designs]
    async with SandboxPool(config.sandbox) as pool:
        playtester = build_playtester(config, ScriptedEngine(answer, context_tokens=200_000), pool)
        return await playtester.play(plans, key="controller")


def cpu_s(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=2000)
    parser.add_argument("--designs", type=int, default=40)
    parser.add_argument("--profile", type=int, default=0, help="Show this many functions by their own time.")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    designs = several_turns(arguments.designs)
    profile = cProfile.Profile() if arguments.profile else None
    before, children, began = cpu_s(resource.RUSAGE_SELF), cpu_s(resource.RUSAGE_CHILDREN), time.monotonic()
    if profile:
        profile.enable()
    playtests = asyncio.run(play(designs, arguments.episodes))
    if profile:
        profile.disable()
    episodes = [episode for playtest in playtests for episode in playtest.episodes]
    turns = sum(len(episode.turns) for episode in episodes)
    own, theirs = cpu_s(resource.RUSAGE_SELF) - before, cpu_s(resource.RUSAGE_CHILDREN) - children
    found = {
        "episodes": len(episodes),
        "turns": turns,
        "controller_cpu_ms_per_turn": 1000 * own / turns,
        "sandbox_cpu_ms_per_turn": 1000 * theirs / turns,
        "wall_s": time.monotonic() - began,
        "void": sum(episode.outcome == "void" for episode in episodes),
    }
    if arguments.json:
        sys.stdout.write(json.dumps(found) + "\n")
        return
    for name, value in found.items():
        print(f"{name:<30}{value:>12.3f}" if isinstance(value, float) else f"{name:<30}{value:>12}")
    if profile:
        pstats.Stats(profile).sort_stats("tottime").print_stats(arguments.profile)


if __name__ == "__main__":
    main()
