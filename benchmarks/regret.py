"""How noisy a regret is, and what helps: docs/experiments/regret.md quotes it.

python benchmarks/regret.py RUN [RUN ...] [--designs 60] [--blocks 8] [--model nano]

Plays designs that the runs accepted, both arms, `blocks` times on as many new instances as a playtest of the recipe has
(3 seeds x 4 plays). Each block is one playtest; the mean of all other blocks stands for the truth. Printed: the error
of the paired difference, of the difference between arms on different instances, and of the paired one shrunk.
"""

from __future__ import annotations

import argparse
import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

from openspade.credit.regret import between_design_variance, measure, shrink
from openspade.engine.local import LocalEngine
from openspade.memory.write.exchange import exported_designs
from openspade.roles.prompts import Prompts
from openspade.rollout.playtest import Plan, Playtester
from openspade.rollout.sampler import Gathering
from openspade.run_folder import DATABASE_FILE
from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.settings.learning import AgentConfig, PolicyConfig, TrainConfig
from openspade.settings.worlds import PlaytestConfig, SandboxConfig
from openspade.types import Design, DesignStats, Playtest

SEEDS, PLAYS = 3, 4


@dataclass(frozen=True, kw_only=True, slots=True)
class Trial:
    """One playtest of a design: its statistics, its hinted return on other instances, and what it should have shown."""

    stats: DesignStats
    hinted_elsewhere: float
    truth: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", type=Path)
    parser.add_argument("--designs", type=int, default=60)
    parser.add_argument("--blocks", type=int, default=8)
    parser.add_argument("--model", default="nano")
    arguments = parser.parse_args()
    found = [one.design for run in arguments.runs for one in exported_designs(run / DATABASE_FILE)]
    designs = random.Random(0).sample(found, min(arguments.designs, len(found)))
    playtests = asyncio.run(play(arguments.model, designs, arguments.blocks))
    report([trial for playtest in playtests for trial in trials(playtest, arguments.blocks)])


async def play(model: str, designs: Sequence[Design], blocks: int) -> list[Playtest]:
    """Both arms of every design on `blocks` times `SEEDS` instances."""
    rng = random.Random("regret")
    plans = [
        Plan(
            design=design,
            seeds=tuple(rng.randrange(2**31) for _ in range(blocks * SEEDS)),
            plays=PLAYS,
            hinted=True,
        )
        for design in designs
    ]
    policy = PolicyConfig(model=model, prompts="compact", device="cpu", batch_rows=256)
    engine = LocalEngine(policy, TrainConfig())
    async with SandboxPool(SandboxConfig()) as pool:
        playtester = Playtester(
            engine=engine,
            sampler=Gathering(engine),
            pool=pool,
            prompts=Prompts("compact"),
            agent=AgentConfig(max_tokens=160),
            limits=PlaytestConfig(max_turns=10),
            run_seed=0,
        )
        return await playtester.play(plans, key="regret")


def trials(playtest: Playtest, blocks: int) -> list[Trial]:
    """A design's playtests, block by block; none where it broke in play."""
    seeds = list(dict.fromkeys(episode.seed for episode in playtest.episodes))
    parts = [set(seeds[number * SEEDS : (number + 1) * SEEDS]) for number in range(blocks)]
    stats = [
        measure(replace(playtest, episodes=tuple(e for e in playtest.episodes if e.seed in part))) for part in parts
    ]
    if not all(one.qualified for one in stats):
        return []
    return [
        Trial(
            stats=one,
            hinted_elsewhere=stats[(number + 1) % blocks].hinted_return,
            truth=fmean(other.regret for place, other in enumerate(stats) if place != number),
        )
        for number, one in enumerate(stats)
    ]


def report(found: Sequence[Trial]) -> None:
    regrets, errors = [t.stats.regret for t in found], [t.stats.regret_se for t in found]
    tau2 = between_design_variance(regrets, errors)
    estimates = {
        "paired": regrets,
        "arms on different instances": [t.hinted_elsewhere - t.stats.unaided_return for t in found],
        "paired, shrunk": [shrink(t.stats.regret, t.stats.regret_se, tau2) for t in found],
        "always the mean": [fmean(regrets)] * len(found),
    }
    print(f"{len(found)} playtests; true regrets: mean {fmean(t.truth for t in found):.3f}, sd {tau2**0.5:.3f}")
    print("| estimate | root mean squared error | negative where the truth is positive |\n|---|---|---|")
    for name, values in estimates.items():
        error = fmean((value - t.truth) ** 2 for value, t in zip(values, found, strict=True)) ** 0.5
        wrong = [value < 0 for value, t in zip(values, found, strict=True) if t.truth > 0]
        print(f"| {name} | {error:.3f} | {fmean(wrong):.2f} |")


if __name__ == "__main__":
    main()
