"""What the host knows of RLVE's environments without loading them: their names, and the program that plays one."""

from __future__ import annotations

import ast
from importlib.util import find_spec
from pathlib import Path

UNMADE = {"CountdownClose": "at difficulty 3 some of its questions take more than a CPU second to make"}
"""Environments that a pool leaves out unless they are named, and why. Made by `benchmarks/given.py rlve`."""

_PROGRAM = '''"""A question of RLVE, made and judged by its own package `rlve-gym`."""

from openspade_env import Game

from openspade.given.rlve import Puzzle


class {name}(Puzzle, Game):
    """RLVE: {name}, difficulty {difficulty}."""

    skill = "{name}"
    hint = "No hint is known."
    max_turns = 1
    environment = "{name}"
    difficulty = {difficulty}
    choice = {choice}
'''


def names() -> tuple[str, ...]:
    """All environments of the package that is installed, read off its table: importing them takes seconds."""
    package = find_spec("Gym")
    assert package is not None and package.origin is not None, "whoever asks has seen that it is installed"
    table = ast.parse((Path(package.origin).parent / "environments" / "__init__.py").read_text(encoding="utf-8"))
    (entries,) = (node for node in ast.walk(table) if isinstance(node, ast.Dict))
    return tuple(str(key.value) for key in entries.keys if isinstance(key, ast.Constant))


def program(name: str, level: int, choice: int) -> str:
    """The environment at RLVE's difficulty `level - 1`; `choice` is one of its parameter sets, counted around."""
    return _PROGRAM.format(name=name, difficulty=level - 1, choice=choice)
