"""How a nano policy plays, unaided and hinted."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from openspade.engine.local import LocalEngine
from openspade.errors import ConfigError
from openspade.roles.prompts import Prompts
from openspade.roles.source import read_design
from openspade.rollout.playtest import Plan, Playtester
from openspade.rollout.sampler import Gathering
from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.settings.learning import AgentConfig, PolicyConfig, TrainConfig
from openspade.settings.worlds import PlaytestConfig, SandboxConfig
from openspade.types import Design, Episode, Outcome

SUITE = Path(__file__).parent / "heldout.jsonl"
"""The held-out suite: fixed designs and seeds that neither pretraining nor self-play ever plays."""
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
        Sample(group=row["family"], level=row["level"], design=design_of(row["source"]), seeds=tuple(row["seeds"]))
        for row in rows
    ]
    returns = await play(folder, samples, plays)
    by_name: dict[str, list[float]] = {}
    for (arm, family, _), values in returns.items():
        by_name.setdefault(arm, []).extend(values)
        by_name.setdefault(f"{arm}/{family}", []).extend(values)
    return {name: fmean(values) for name, values in by_name.items()}


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


def design_of(source: str) -> Design:
    """The design of a program of ours. Raises ConfigError where it cannot be read."""
    design = read_design(source)
    if not isinstance(design, Design):
        raise ConfigError(f"a program of the nano world cannot be read: {design.message}")
    return design
