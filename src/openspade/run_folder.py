"""A run's folder: made anew, read again, or begun from what another run has learned or remembers."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from openspade import recipe
from openspade.config import Config, secret
from openspade.errors import ConfigError, StorageError
from openspade.memory.database import DATABASE_FILE as DATABASE_FILE
from openspade.memory.memory import Memory
from openspade.memory.write.exchange import merge_designs

CONFIG_FILE = "config.toml"
CHECKPOINTS = "checkpoints"
START = "start"
"""The checkpoint that a run begins with when it takes over another's weights."""


def new_run_directory(config: Config) -> Path:
    """The folder of a new run, numbered where the name is taken, with the whole configuration written into it."""
    wanted = config.run.directory / config.run.name
    directory, number = wanted, 1
    while directory.exists():
        number += 1
        directory = wanted.with_name(f"{wanted.name}-{number}")
    directory.mkdir(parents=True)
    write_config(config, directory)
    return directory


def write_config(config: Config, directory: Path) -> None:
    """The whole configuration, written aside and renamed."""
    aside = directory / f".{CONFIG_FILE}.partial"
    aside.write_text(recipe.show(config), encoding="utf-8")
    aside.replace(directory / CONFIG_FILE)


def stored_config(directory: Path, overrides: Sequence[str] = ()) -> Config:
    """The configuration a run was started with, overrides applied. Raises ConfigError where the folder holds no run."""
    if not (directory / CONFIG_FILE).is_file():
        raise ConfigError(
            f"{directory} holds no run: {CONFIG_FILE} is missing; runs are the folders `openspade train` makes"
        )
    return recipe.load(directory / CONFIG_FILE, overrides)


def refuse_foreign_servers(directory: Path, config: Config, overrides: Sequence[str]) -> None:
    """Whoever made a run's folder must not decide where your keys go. Raises ConfigError until you say so yourself."""
    servers = (
        ("gates.reviewer", config.gates.reviewer.split(" ")[0], "OPENAI_API_KEY"),
        ("tinker.url", config.tinker.url if config.policy.engine == "tinker" else "", "TINKER_API_KEY"),
    )
    for setting, url, key in servers:
        named = any(override.partition("=")[0].strip() == setting for override in overrides)
        if "://" in url and secret(key) and not named and not is_loopback(url):
            raise ConfigError(
                f"{directory} asks for {setting} {url}, and your {key} would go there: say so yourself with "
                f"{setting}=..., or unset {key}"
            )


def is_loopback(url: str) -> bool:
    """Whether an address leads to this machine."""
    try:
        host = urlsplit(url).hostname or ""
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def refuse_other_settings(config: Config, memory: Memory) -> None:
    """A run goes on with the settings it has played with. Raises ConfigError with every difference.

    They are compared with those its database was last opened with, so an edited config.toml is noticed too.
    """
    before = memory.runs().get(config.run.name, {}).get("config")
    cycles = memory.last_cycle() + 1
    if not cycles or not isinstance(before, dict):
        return
    changed = recipe.differences(before, config)
    if changed:
        listed = "\n".join(f"  {sentence}" for sentence in changed)
        raise ConfigError(
            f"{memory.run_directory} has played {cycles} cycles with other settings:\n{listed}\n"
            f"set them back; or begin a new run from this one's weights or memory: openspade resume "
            f"{memory.run_directory} --only weights (or memory) SECTION.KEY=VALUE ..."
        )


def begin_from(earlier: Path, config: Config, only: Literal["weights", "memory"]) -> Path:
    """A new run's folder that takes over an earlier run's latest weights and optimiser, or all it remembers.

    The earlier run is only read. Raises StorageError where it has nothing to take over.
    """
    with Memory.open(earlier / DATABASE_FILE, config.memory, readonly=True) as memory:
        checkpoint = memory.checkpoint()
    if not checkpoint:
        raise StorageError(f"{earlier} has no finished cycle, so there are no {only} to begin from; resume it first")
    directory = new_run_directory(config)
    try:
        if only == "weights":
            shutil.copytree(earlier / CHECKPOINTS / checkpoint, directory / CHECKPOINTS / START)
        else:
            merge_designs(directory / DATABASE_FILE, earlier / DATABASE_FILE, config.memory, config.reward)
    except OSError as error:
        raise StorageError(f"{earlier / CHECKPOINTS / checkpoint} cannot be copied to {directory}: {error}") from error
    return directory
