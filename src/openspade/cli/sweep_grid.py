"""The runs of a sweep: every combination of settings with every seed, and how far each of them has come."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import fmean

from openspade import recipe as recipes
from openspade.config import Config
from openspade.errors import ConfigError, StorageError
from openspade.run_folder import CONFIG_FILE, stored_config
from openspade.sources import open_memory

BETWEEN_VALUES = re.compile(r",(?![^\[]*\])")
"""Commas that do not stand inside a list."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SweepRun:
    """One run of a sweep: its settings as overrides, its folder, and the cycles it should have."""

    setting: str
    overrides: tuple[str, ...]
    directory: Path
    cycles: int


@dataclass(frozen=True, kw_only=True, slots=True)
class SweepProgress:
    """Cycles that are stored, and the mean seconds of one; 0 before the first."""

    cycles: int = 0
    seconds_a_cycle: float = 0.0


def expand_grid(
    recipe: Path, over: Sequence[str], seeds: int, overrides: Sequence[str], directory: Path | None
) -> list[SweepRun]:
    """All runs, seed by seed, so that a sweep that is stopped early has compared all settings. Raises ConfigError."""
    axes = [_axis(text) for text in over]
    runs: dict[Path, SweepRun] = {}
    for seed in range(seeds):
        for values in product(*(values for _, values in axes)):
            chosen = [f"{path}={value}" for (path, _), value in zip(axes, values, strict=True)]
            config = recipes.load(recipe, [*overrides, *chosen, f"run.seed={seed}"])
            home = directory or config.run.directory / f"{config.run.name}-sweep"
            name = "-".join([*map(_word, values), f"seed{seed}"])
            if home / name in runs:
                raise ConfigError(f"two settings of the sweep would both be kept in {home / name}: name values apart")
            named = (f"run.directory={home}", f"run.name={name}", f"run.seed={seed}")
            runs[home / name] = SweepRun(
                setting=", ".join(chosen) or "as the recipe",
                overrides=(*overrides, *chosen, *named),
                directory=home / name,
                cycles=config.run.cycles,
            )
            _refuse_others(runs[home / name], recipe)
    return [*runs.values()]


def read_progress(run: SweepRun) -> SweepProgress:
    """How far a run has come, also while another process trains it."""
    try:
        with open_memory(run.directory) as memory:
            cycles = memory.last_cycle() + 1
            seconds = [metrics["seconds/cycle"] for _, metrics in memory.metrics() if "seconds/cycle" in metrics]
    except StorageError:
        # Not begun, or its database is being made at this moment.
        return SweepProgress()
    return SweepProgress(cycles=cycles, seconds_a_cycle=fmean(seconds) if seconds else 0.0)


def command(recipe: Path, run: SweepRun) -> list[str]:
    """What to call `openspade` with, so that this run is begun or goes on."""
    if (run.directory / CONFIG_FILE).exists():
        return ["resume", str(run.directory), "--cycles", str(run.cycles)]
    return ["train", str(recipe), *run.overrides]


def seconds_left(runs: Sequence[SweepRun], progress: Sequence[SweepProgress], jobs: int) -> float | None:
    """What the missing cycles take at the measured pace, each setting at its own where that is known; None before."""
    known = [found.seconds_a_cycle for found in progress if found.seconds_a_cycle]
    if not known:
        return None
    left = 0.0
    for run, found in zip(runs, progress, strict=True):
        alike = [
            other.seconds_a_cycle
            for peer, other in zip(runs, progress, strict=True)
            if peer.setting == run.setting and other.seconds_a_cycle
        ]
        left += max(0, run.cycles - found.cycles) * fmean(alike or known)
    return left / max(1, min(jobs, len(runs)))


def _axis(text: str) -> tuple[str, list[str]]:
    path, equals, values = text.partition("=")
    if not equals:
        raise ConfigError(f"--over {text!r} is not of the form section.key=value,value,...")
    return path.strip(), BETWEEN_VALUES.split(values)


def _word(value: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.+]+", "_", value).strip("_") or "none"


def _refuse_others(run: SweepRun, recipe: Path) -> None:
    """A run that lies there must be the one that is asked for; only its length may differ."""
    if not (run.directory / CONFIG_FILE).exists():
        return
    stored: Config = stored_config(run.directory)
    wanted = recipes.load(recipe, run.overrides)
    changed = recipes.differences(stored.model_dump(mode="json", by_alias=True), wanted)
    if changed:
        listed = "\n".join(f"  {sentence}" for sentence in changed)
        raise ConfigError(
            f"{run.directory} is a run with other settings:\n{listed}\nname another --directory, or remove that run"
        )
