"""Held-out suites: environments that no run trains on, frozen with the instances they are always played on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib import resources
from pathlib import Path

from openspade.errors import ConfigError
from openspade.roles.source import read_design
from openspade.types import Design

PACKAGED: Mapping[str, tuple[str, str]] = {
    "nano": ("openspade.nano", "heldout.jsonl"),
    "mini": ("openspade.evaluation", "mini.jsonl"),
}
"""The package and the file of each suite that is shipped."""


@dataclass(frozen=True, kw_only=True, slots=True)
class HeldOutTask:
    """One environment of a suite and the seeds it is always played on.

    `questions`: its instances are questions of their own, so that an interval counts them one by one; otherwise they
    are instances of one mechanic, which rise and fall together.
    """

    family: str
    level: int
    design: Design
    seeds: tuple[int, ...]
    questions: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Suite:
    """A frozen suite; `digest` is the SHA-256 of its file."""

    name: str
    digest: str
    tasks: tuple[HeldOutTask, ...]


def read_suite(name: str) -> Suite:
    """A suite shipped with the package, or a JSONL file of {family, level, source, seeds}. Raises ConfigError."""
    if name in PACKAGED:
        package, file = PACKAGED[name]
        text = (resources.files(package) / file).read_text(encoding="utf-8")
    elif Path(name).is_file():
        text = Path(name).read_text(encoding="utf-8")
    else:
        raise ConfigError(f"there is no suite {name!r}; use {', '.join(PACKAGED)} or the path of a JSONL file")
    tasks = tuple(_read_task(name, number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip())
    if not tasks:
        raise ConfigError(f"suite {name} holds no task")
    return Suite(name=name, digest=sha256(text.encode()).hexdigest(), tasks=tasks)


def load_suite(name: str) -> tuple[HeldOutTask, ...]:
    """The tasks of a suite. Raises ConfigError."""
    return read_suite(name).tasks


def _read_task(suite: str, number: int, line: str) -> HeldOutTask:
    try:
        record = json.loads(line)
        design = read_design(record["source"])
        seeds = tuple(int(seed) for seed in record["seeds"])
        family, level = str(record["family"]), int(record["level"])
        questions = bool(record.get("questions", False))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ConfigError(f"suite {suite}, line {number}: {type(error).__name__}: {error}") from None
    if not isinstance(design, Design):
        raise ConfigError(f"suite {suite}, line {number}: {design.message}")
    if not seeds:
        raise ConfigError(f"suite {suite}, line {number}: seeds is empty; name the instances to play")
    return HeldOutTask(family=family, level=level, design=design, seeds=seeds, questions=questions)
