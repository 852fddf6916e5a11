"""Whole runs with the scripted policy: small ones, for tests of everything around the loop."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from openspade.assembly import open_run
from openspade.config import Config
from openspade.recipe import parse
from openspade.types import CycleReport

VARIES = ("seconds/", "memory/")


def settings(directory: Path, cycles: int, **cycle: int) -> Config:
    return parse(
        {
            "run": {"directory": str(directory), "cycles": cycles},
            "policy": {"engine": "scripted", "context_tokens": 100_000},
            "designer": {"max_tokens": 2000},
            "cycle": {"briefs": 2, "drafts_per_brief": 2, "replays": 1, **cycle},
            "playtest": {"seeds": 2},
            "corpus": {"enabled": False},
            "gates": {"max_similarity": 1.0},
        }
    )


async def play(config: Config, directory: Path) -> list[CycleReport]:
    async with open_run(config, directory) as run:
        return [report async for report in run.cycles()]


def steady(metrics: Mapping[str, float]) -> dict[str, float]:
    """The metrics that do not measure time or memory."""
    return {name: value for name, value in metrics.items() if not name.startswith(VARIES)}
