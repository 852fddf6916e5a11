"""What `run.overlap` gains: the scripted policy behind set latencies, with and without it, in one process.

PYTHONPATH=. python benchmarks/overlap.py [--cycles 6] [--first-token-s .3] [--token-s .002] [--update-s 3]

A request takes `first-token-s` plus `token-s` for each token it writes, as many at once as are asked for; an update
takes `update-s`. Everything else is real: gates, sandbox, credit, database.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import Mapping, Sequence

from openspade.assembly import open_run
from openspade.engine.scripted import ScriptedEngine
from openspade.engine.tutorial import tutorial_answer
from openspade.recipe import parse
from openspade.run_folder import new_run_directory
from openspade.tokens import Completion, Prompt, Trajectory


class Served(ScriptedEngine):
    """The tutorial's policy as if a server sampled it and another updated it."""

    def __init__(self, latency: argparse.Namespace) -> None:
        super().__init__(tutorial_answer)
        self._latency = latency

    async def sample(self, requests: Sequence[Prompt]) -> list[Completion]:
        answers = await super().sample(requests)
        longest = max((len(answer.ids) for answer in answers), default=0)
        await asyncio.sleep(self._latency.first_token_s + longest * self._latency.token_s)
        return answers

    async def learn(self, trajectories: Sequence[Trajectory]) -> Mapping[str, float]:
        await asyncio.sleep(self._latency.update_s)
        return await super().learn(trajectories)


async def measure(overlap: int, arguments: argparse.Namespace) -> tuple[float, list[float]]:
    """Seconds of the whole run, and how stale each cycle's episodes were."""
    with tempfile.TemporaryDirectory() as folder:
        config = parse(
            {
                "run": {"directory": folder, "cycles": arguments.cycles, "overlap": overlap},
                "policy": {"engine": "scripted", "context_tokens": 100_000},
                "designer": {"max_tokens": 2000},
                "cycle": {"briefs": 4, "drafts_per_brief": 2},
                "corpus": {"enabled": False},
            }
        )
        began = time.monotonic()
        async with open_run(config, new_run_directory(config), engine=Served(arguments)) as run:
            stale = [report.metrics["credit/agent_staleness_mean"] async for report in run.cycles()]
        return time.monotonic() - began, stale


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cycles", type=int, default=6)
    parser.add_argument("--first-token-s", type=float, default=0.3)
    parser.add_argument("--token-s", type=float, default=0.002)
    parser.add_argument("--update-s", type=float, default=3.0)
    arguments = parser.parse_args()
    print("| run.overlap | seconds a cycle | updates between sampling and learning |\n|---|---|---|")
    for overlap in (0, 1):
        seconds, stale = asyncio.run(measure(overlap, arguments))
        print(f"| {overlap} | {seconds / arguments.cycles:.2f} | {', '.join(f'{value:.0f}' for value in stale)} |")


if __name__ == "__main__":
    main()
