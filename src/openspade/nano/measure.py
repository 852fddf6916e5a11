"""How a nano policy plays its held-out suite: unaided and with the designs' own hints."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean

from openspade.config import AgentConfig, PlaytestConfig, PolicyConfig, SandboxConfig, TrainConfig
from openspade.engine.local import LocalEngine
from openspade.errors import ConfigError
from openspade.nano.heldout import SUITE
from openspade.roles.prompts import Prompts
from openspade.roles.source import read_design
from openspade.rollout.playtest import Plan, Playtester
from openspade.rollout.sampler import Gathering
from openspade.sandbox.pool import SandboxPool
from openspade.types import Design, Episode, Outcome

REPLY_TOKENS = 160


async def measure(folder: Path, plays: int = 4) -> Mapping[str, float]:
    """Mean return in [0, 1] by arm, and by arm and family, at temperature 1, `plays` times on every seed."""
    rows = [json.loads(line) for line in SUITE.read_text(encoding="utf-8").splitlines()]
    plans = [Plan(design=_design(row["source"]), seeds=tuple(row["seeds"]), plays=plays, hinted=True) for row in rows]
    policy = PolicyConfig(model=str(folder), prompts="compact", device="cpu")
    engine = LocalEngine(policy, TrainConfig())
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
    by_name: dict[str, list[float]] = {}
    for row, playtest in zip(rows, playtests, strict=True):
        for arm, returns in _returns(playtest.episodes).items():
            by_name.setdefault(arm, []).append(fmean(returns))
            by_name.setdefault(f"{arm}/{row['family']}", []).append(fmean(returns))
    return {name: fmean(values) for name, values in by_name.items()}


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
