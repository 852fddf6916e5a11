"""The skill table and whose turn it is."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Literal

import msgspec

from openspade.chance import named_rng
from openspade.errors import ConfigError
from openspade.settings.worlds import CurriculumConfig
from openspade.types import Kind, Skill


class _Row(msgspec.Struct, forbid_unknown_fields=True):
    kind: Kind
    description: str
    turns: Literal["any", "several"] = "any"


def load_skills(config: CurriculumConfig) -> tuple[Skill, ...]:
    """The chosen skills, in the order chosen; all of the built-in and the user's table when none is named."""
    table = _parse((resources.files("openspade.curriculum") / "skills.toml").read_text("utf-8"), "skills.toml")
    if config.skills_file:
        table = {**table, **_read(Path(config.skills_file))}
    for name in config.skills:
        if name not in table:
            close = difflib.get_close_matches(name, table, n=1)
            advice = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(table)}"
            raise ConfigError(f"curriculum.skills names {name!r}, which is in no skill table; {advice}")
    return tuple(table[name] for name in (config.skills or table))


def skills_of_cycle(skills: Sequence[Skill], per_cycle: int, run_seed: int, cycle: int) -> tuple[Skill, ...]:
    """The window of `per_cycle` skills whose turn it is; windows follow each other through one shuffle of all.

    Every skill comes up equally often, whatever the window's size.
    """
    order = list(skills)
    named_rng(run_seed, 0, "skills").shuffle(order)
    width = min(per_cycle, len(order))
    return tuple(order[(cycle * width + place) % len(order)] for place in range(width))


def _read(path: Path) -> Mapping[str, Skill]:
    try:
        return _parse(path.read_text(encoding="utf-8"), str(path))
    except OSError as error:
        raise ConfigError(f"curriculum.skills_file {path} cannot be read: {error.strerror}") from None


def _parse(text: str, name: str) -> Mapping[str, Skill]:
    try:
        rows = msgspec.convert(tomllib.loads(text), dict[str, _Row])
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        form = 'a skill is ["name"], kind, description and, if it wants, turns'
        raise ConfigError(f"{name} is not a skill table: {error}; {form}") from None
    return {
        skill: Skill(name=skill, kind=row.kind, description=row.description, turns=row.turns)
        for skill, row in rows.items()
    }
