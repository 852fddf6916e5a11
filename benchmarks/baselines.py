"""What a draft's reward is compared with, and what that leaves of its variance: docs/experiments/regret.md quotes it.

python benchmarks/baselines.py RUN [RUN ...]

Within each cycle: the variance of the Designer's rewards around their mean of the batch, of the skill and of the brief
(unbiased), and each as a share of the first. What lies between briefs is no merit of a single draft.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean, variance

from openspade.memory.database import Database
from openspade.memory.read.design_history import Reward, rewards
from openspade.memory.read.run_metrics import last_cycle
from openspade.run_folder import DATABASE_FILE

GROUPS: dict[str, Callable[[Reward], str]] = {
    "batch": lambda _reward: "batch",
    "skill": lambda reward: reward.skill,
    "brief": lambda reward: reward.brief_id,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", type=Path)
    cycles = [found for run in parser.parse_args().runs for found in read(run)]
    whole = fmean(within(cycle, GROUPS["batch"]) for cycle in cycles)
    print(f"{len(cycles)} cycles\n| compared with the mean of | variance left | share |\n|---|---|---|")
    for name, key in GROUPS.items():
        left = fmean(within(cycle, key) for cycle in cycles)
        print(f"| the {name} | {left:.3f} | {left / whole:.2f} |")


def read(run: Path) -> list[tuple[Reward, ...]]:
    """The rewards of every cycle."""
    database = Database(run / DATABASE_FILE, readonly=True)
    try:
        return [rewards(database, cycle) for cycle in range(last_cycle(database) + 1)]
    finally:
        database.close()


def within(cycle: Sequence[Reward], key: Callable[[Reward], str]) -> float:
    """The mean variance inside a group, weighted by its degrees of freedom."""
    groups: dict[str, list[float]] = defaultdict(list)
    for reward in cycle:
        groups[key(reward)].append(reward.value)
    several = [values for values in groups.values() if len(values) > 1]
    freedom = sum(len(values) - 1 for values in several)
    return sum(variance(values) * (len(values) - 1) for values in several) / freedom


if __name__ == "__main__":
    main()
