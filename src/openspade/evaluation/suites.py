"""Held-out suites: environments that no run trains on, frozen with the instances they are always played on."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib import resources
from pathlib import Path

from openspade.errors import ConfigError, SandboxError
from openspade.roles.source import read_design
from openspade.sandbox.given_worlds import places_of, worlds_of
from openspade.types import Design

PACKAGED: Mapping[str, tuple[str, str]] = {
    "nano": ("openspade.nano", "heldout.jsonl"),
    "mini": ("openspade.evaluation", "mini.jsonl"),
    "rg_hard": ("openspade.evaluation", "rg_hard.jsonl.gz"),
}
"""The package and the file of each suite that is shipped."""


@dataclass(frozen=True, kw_only=True, slots=True)
class HeldOutTask:
    """One environment of a suite and the seeds it is always played on.

    `questions`: its instances are questions of their own, so that an interval counts them one by one; otherwise they
    are instances of one mechanic, which rise and fall together. `name`: what it is called among the tasks of its
    family, where these ask different things. `loose`: its scorer also takes what is no answer, and says so, so that a
    strict score can leave it out.
    """

    family: str
    level: int
    design: Design
    seeds: tuple[int, ...]
    questions: bool = False
    name: str = ""
    loose: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Suite:
    """A frozen suite; `digest` is the SHA-256 of its lines, as they are before compression."""

    name: str
    digest: str
    tasks: tuple[HeldOutTask, ...]


def read_suite(name: str) -> Suite:
    """A suite shipped with the package, or a JSONL file of {family, level, source, seeds}. Raises ConfigError."""
    if name in PACKAGED:
        package, file = PACKAGED[name]
        content = (resources.files(package) / file).read_bytes()
        text = (gzip.decompress(content) if file.endswith(".gz") else content).decode()
    elif Path(name).is_file():
        text = Path(name).read_text(encoding="utf-8")
    else:
        raise ConfigError(f"there is no suite {name!r}; use {', '.join(PACKAGED)} or the path of a JSONL file")
    tasks = tuple(_read_task(name, number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip())
    if not tasks:
        raise ConfigError(f"suite {name} holds no task")
    return Suite(name=name, digest=sha256(text.encode()).hexdigest(), tasks=tasks)


def refuse_missing_packages(suite: Suite) -> None:
    """Raises ConfigError where the programs of a suite build on a package that is not installed."""
    try:
        places_of(sorted({world for task in suite.tasks for world in worlds_of(task.design.source)}))
    except SandboxError as error:
        raise ConfigError(f"suite {suite.name}: {error}") from None


def load_suite(name: str) -> tuple[HeldOutTask, ...]:
    """The tasks of a suite. Raises ConfigError."""
    return read_suite(name).tasks


def _read_task(suite: str, number: int, line: str) -> HeldOutTask:
    try:
        record = json.loads(line)
        design = read_design(record["source"])
        seeds = tuple(int(seed) for seed in record["seeds"])
        family, level = str(record["family"]), int(record["level"])
        questions, loose = bool(record.get("questions", False)), bool(record.get("loose", False))
        title = str(record.get("name", ""))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ConfigError(f"suite {suite}, line {number}: {type(error).__name__}: {error}") from None
    if not isinstance(design, Design):
        raise ConfigError(f"suite {suite}, line {number}: {design.message}")
    if not seeds:
        raise ConfigError(f"suite {suite}, line {number}: seeds is empty; name the instances to play")
    return HeldOutTask(
        family=family, level=level, design=design, seeds=seeds, questions=questions, name=title, loose=loose
    )
