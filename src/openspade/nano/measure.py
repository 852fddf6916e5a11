"""How a nano policy plays, unaided and hinted: its held-out suite, and new programs of every mechanic and level."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from openspade.engine.local import LocalEngine
from openspade.errors import ConfigError
from openspade.nano.all_mechanics import MECHANICS, VAGUE_HINTS
from openspade.nano.heldout import FIRST_SEED, SUITE
from openspade.nano.mechanic import MAX_LEVEL
from openspade.roles.prompts import Prompts
from openspade.roles.source import read_design
from openspade.rollout.playtest import Plan, Playtester
from openspade.rollout.sampler import Gathering
from openspade.sandbox.host.pool import SandboxPool
from openspade.settings.learning import AgentConfig, PolicyConfig, TrainConfig
from openspade.settings.worlds import PlaytestConfig, SandboxConfig
from openspade.types import Design, Episode, Outcome

REPLY_TOKENS = 160


@dataclass(frozen=True, kw_only=True, slots=True)
class Sample:
    """A design to be played, what it stands for, and on which seeds."""

    group: str
    level: int
    design: Design
    seeds: tuple[int, ...]


async def measure(folder: Path, plays: int = 4) -> Mapping[str, float]:
    """The held-out suite: mean return in [0, 1] by arm, and by arm and family."""
    rows = [json.loads(line) for line in SUITE.read_text(encoding="utf-8").splitlines()]
    samples = [
        Sample(group=row["family"], level=row["level"], design=_design(row["source"]), seeds=tuple(row["seeds"]))
        for row in rows
    ]
    returns = await play(folder, samples, plays)
    by_name: dict[str, list[float]] = {}
    for (arm, family, _), values in returns.items():
        by_name.setdefault(arm, []).extend(values)
        by_name.setdefault(f"{arm}/{family}", []).extend(values)
    return {name: fmean(values) for name, values in by_name.items()}


def fresh_samples(programs: int, seed: int, *, vague: bool = False) -> list[Sample]:
    """New programs of every mechanic and level, one held-out seed each; with a good hint, or a vague one."""
    samples: list[Sample] = []
    for one in MECHANICS:
        for level in range(1, MAX_LEVEL + 1):
            rng = random.Random(f"{seed}/{one.name}/{level}")
            for _ in range(programs):
                source = one.program(one.draw(level, rng), hint=rng.choice(VAGUE_HINTS if vague else one.hints))
                seeds = (FIRST_SEED + rng.randrange(2**31),)
                samples.append(Sample(group=one.name, level=level, design=_design(source), seeds=seeds))
    return samples


async def play(folder: Path, samples: Sequence[Sample], plays: int) -> Mapping[tuple[str, str, int], list[float]]:
    """Returns by (arm, group, level), at temperature 1, void episodes left out."""
    plans = [Plan(design=sample.design, seeds=sample.seeds, plays=plays, hinted=True) for sample in samples]
    engine = LocalEngine(PolicyConfig(model=str(folder), prompts="compact", device="cpu"), TrainConfig())
    async with SandboxPool(SandboxConfig()) as pool:
        playtester = Playtester(
            engine=engine,
            sampler=Gathering(engine),
            pool=pool,
            prompts=Prompts("compact"),
            agent=AgentConfig(max_tokens=REPLY_TOKENS),
            limits=PlaytestConfig(),
            run_seed=0,
        )
        playtests = await playtester.play(plans, key="base")
    returns: dict[tuple[str, str, int], list[float]] = {}
    for sample, playtest in zip(samples, playtests, strict=True):
        for arm, values in _returns(playtest.episodes).items():
            returns.setdefault((arm, sample.group, sample.level), []).extend(values)
    return returns


def _returns(episodes: Sequence[Episode]) -> dict[str, list[float]]:
    arms: dict[str, list[float]] = {}
    for episode in episodes:
        if episode.outcome is not Outcome.VOID:
            arms.setdefault("hinted" if episode.hinted else "unaided", []).append(episode.return_)
    return arms


def _design(source: str) -> Design:
    design = read_design(source)
    if not isinstance(design, Design):
        raise ConfigError(f"{SUITE} holds a program that cannot be read: {design.message}")
    return design
