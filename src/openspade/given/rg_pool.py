"""What the host knows of Reasoning Gym's datasets without loading them: names, levels, and a program that plays one."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

_TABLE = Path(__file__).with_name("rg_pool.toml")
_PROGRAM = '''"""A question of Reasoning Gym, made and scored by its own package `reasoning-gym`."""

from openspade_env import Game

from openspade.given.reasoning_gym import Generated


class {title}(Generated, Game):
    """Reasoning Gym: {name}, level {level}."""

    skill = "{name}"
    hint = "No hint is known."
    max_turns = 1
    dataset = "{name}"
    level = {level}
    choice = {choice}
'''


def names() -> tuple[str, ...]:
    """The datasets that a pool may have, in alphabetical order."""
    return tuple(_table()["levels"])


def levels(name: str) -> int:
    """How often the dataset's curriculum makes it harder while its questions stay short and quickly made."""
    return _table()["levels"][name]


def program(name: str, level: int, choice: int) -> str:
    """The dataset at a level; `choice` sets the questions of one design apart from those of others."""
    title = "".join(word.title() for word in name.split("_"))
    return _PROGRAM.format(title=title, name=name, level=level, choice=choice)


@cache
def _table() -> Mapping[str, Mapping[str, int]]:
    """`levels`, and beside them what is left out and why. Made by `benchmarks/rg_pool.py`."""
    return tomllib.loads(_TABLE.read_text(encoding="utf-8"))
