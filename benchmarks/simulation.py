"""One cycle as a discrete-event model: what holds it up at a given number of GPUs, episodes and controller cores?

PYTHONPATH=. python benchmarks/simulation.py [--gpus 8 64] [--episodes 1000 10000] [--turns 6] [--overlap] [--json]

Measured here and stated beside each option: the controller's and the sandbox's CPU a turn (benchmarks/controller.py),
the gates' CPU a draft (benchmarks/gates.py), a design's commit (benchmarks/memory.py). Stated by you: tokens a second
of a full GPU, and of one sequence that has it to itself. Episodes are sequential in their turns and wait for a place on
a GPU, for the controller (one thread) and for a core; lengths vary (log-normal). A sequence goes at the speed that the
load at its beginning leaves it. Learning follows on the same GPUs; with --overlap on as many others, beside the next
cycle.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections.abc import Generator
from dataclasses import asdict, dataclass
from typing import Any

import simpy


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """Seconds of each stage, and the share of the sampling stages in which each resource was busy."""

    gpus: int
    episodes: int
    draft_s: float
    gates_s: float
    play_s: float
    learn_s: float
    commit_s: float
    cycle_s: float
    gpu_busy: float
    controller_busy: float
    sandbox_busy: float
    controller_ms_per_turn: float


class Meter:
    """A resource that counts how long it was held."""

    def __init__(self, world: simpy.Environment, capacity: int) -> None:
        self._world = world
        self._resource = simpy.Resource(world, capacity)
        self.capacity = capacity
        self.held_s = 0.0

    @property
    def wanted(self) -> int:
        """Places held and waited for, one to come included."""
        return min(self.capacity, self._resource.count + len(self._resource.queue) + 1)

    def hold(self, seconds: float) -> Generator[Any, Any, None]:
        with self._resource.request() as turn:
            yield turn
            yield self._world.timeout(seconds)
            self.held_s += seconds


class Cycle:
    """Drafts, gates and episodes of one cycle."""

    def __init__(self, gpus: int, episodes: int, given: argparse.Namespace) -> None:
        self.world = simpy.Environment()
        self.given = given
        self.rng = random.Random(f"{given.seed}/{gpus}/{episodes}")
        self.gpu = Meter(self.world, gpus * given.rows_per_gpu)
        self.controller = Meter(self.world, 1)
        self.cores = Meter(self.world, given.cores)
        self.gpus = gpus
        self.designs = max(1, round(episodes / given.episodes_per_design))
        self.drafts = math.ceil(self.designs / given.accepted_share)

    def about(self, mean: float) -> float:
        """A length: log-normal around its mean, with a standard deviation of .7 of it."""
        sigma = math.sqrt(math.log(1 + 0.7**2))
        return self.rng.lognormvariate(math.log(mean) - sigma**2 / 2, sigma)

    def sample(self, tokens: float) -> Generator[Any, Any, None]:
        """One reply."""
        shared = self.gpus * self.given.sampled_per_gpu_s / self.gpu.wanted
        yield from self.gpu.hold(self.about(tokens) / min(shared, self.given.sampled_alone_s))

    def draft(self) -> Generator[Any, Any, None]:
        yield from self.controller.hold(self.given.controller_ms / 1000)
        yield from self.sample(self.given.draft_tokens)

    def judge(self) -> Generator[Any, Any, None]:
        yield from self.controller.hold(self.given.gates_ours_ms / 1000)
        yield from self.cores.hold(self.given.gates_child_ms / 1000)

    def play(self) -> Generator[Any, Any, None]:
        for _ in range(max(1, round(self.about(self.given.turns)))):
            yield from self.sample(self.given.turn_tokens)
            yield from self.controller.hold(self.given.controller_ms / 1000)
            yield from self.cores.hold(self.given.sandbox_ms / 1000)

    def stage(self, work: list[Generator[Any, Any, None]]) -> float:
        """Seconds until the last is done."""
        began = self.world.now
        self.world.run(simpy.AllOf(self.world, [self.world.process(one) for one in work]))
        return self.world.now - began


def simulate(gpus: int, episodes: int, given: argparse.Namespace) -> Found:
    cycle = Cycle(gpus, episodes, given)
    draft_s = cycle.stage([cycle.draft() for _ in range(cycle.drafts)])
    gates_s = cycle.stage([cycle.judge() for _ in range(cycle.drafts)])
    play_s = cycle.stage([cycle.play() for _ in range(episodes)])
    sampled_s = draft_s + gates_s + play_s
    # The hinted half of the episodes only measures.
    trained = cycle.drafts * given.draft_tokens + episodes / 2 * given.turns * (given.turn_tokens + 100)
    learn_s = trained / (gpus * given.trained_per_gpu_s)
    commit_s = cycle.designs * given.commit_ms / 1000
    return Found(
        gpus=gpus,
        episodes=episodes,
        draft_s=draft_s,
        gates_s=gates_s,
        play_s=play_s,
        learn_s=learn_s,
        commit_s=commit_s,
        cycle_s=(max(sampled_s, learn_s) if given.overlap else sampled_s + learn_s) + commit_s,
        gpu_busy=cycle.gpu.held_s / cycle.gpu.capacity / sampled_s,
        controller_busy=cycle.controller.held_s / sampled_s,
        sandbox_busy=cycle.cores.held_s / cycle.cores.capacity / sampled_s,
        controller_ms_per_turn=given.controller_ms,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpus", type=int, nargs="+", default=[8, 64])
    parser.add_argument("--episodes", type=int, nargs="+", default=[1000, 10_000], help="At once, both arms.")
    parser.add_argument("--episodes-per-design", type=int, default=32)
    parser.add_argument("--accepted-share", type=float, default=0.5)
    parser.add_argument("--draft-tokens", type=float, default=4000)
    parser.add_argument("--turns", type=float, default=6)
    parser.add_argument("--turn-tokens", type=float, default=600)
    parser.add_argument("--rows-per-gpu", type=int, default=128, help="Sequences that one GPU samples side by side.")
    parser.add_argument("--sampled-per-gpu-s", type=float, default=4000, help="Tokens a second of a full GPU; yours.")
    parser.add_argument("--sampled-alone-s", type=float, default=120, help="Tokens a second of one sequence; yours.")
    parser.add_argument("--trained-per-gpu-s", type=float, default=5000, help="Tokens a second; yours.")
    parser.add_argument("--cores", type=int, default=64, help="Of all sandboxes together.")
    parser.add_argument("--controller-ms", type=float, default=0.32, help="Measured: benchmarks/controller.py.")
    parser.add_argument("--sandbox-ms", type=float, default=0.15, help="Measured: benchmarks/controller.py.")
    parser.add_argument("--gates-ours-ms", type=float, default=28, help="Measured: benchmarks/gates.py.")
    parser.add_argument("--gates-child-ms", type=float, default=67, help="Measured: benchmarks/gates.py.")
    parser.add_argument("--commit-ms", type=float, default=7.6, help="A design; measured: benchmarks/memory.py.")
    parser.add_argument("--overlap", action="store_true")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = [simulate(gpus, episodes, given) for gpus in given.gpus for episodes in given.episodes]
    if given.json:
        sys.stdout.write(json.dumps([asdict(one) for one in found]) + "\n")
        return
    stages = " | ".join(f"{stage} s" for stage in ("drafts", "gates", "play", "learn", "commit", "cycle"))
    print(f"| GPUs | episodes | {stages} | rows busy | controller busy | cores busy |")
    print("|" + "---|" * 11)
    for one in found:
        seconds = (one.draft_s, one.gates_s, one.play_s, one.learn_s, one.commit_s, one.cycle_s)
        shares = (one.gpu_busy, one.controller_busy, one.sandbox_busy)
        print(
            f"| {one.gpus} | {one.episodes:,} | {' | '.join(f'{s:.1f}' for s in seconds)} | "
            f"{' | '.join(f'{share:.0%}' for share in shares)} |"
        )


if __name__ == "__main__":
    main()
