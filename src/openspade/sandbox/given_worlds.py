"""Given worlds: packages of other projects that a program may build on, and how a program says that it does.

A program of a world runs behind the same walls as any other, in children of a zygote that has the world loaded.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from openspade.errors import SandboxError


@dataclass(frozen=True, kw_only=True, slots=True)
class World:
    """What `openspade.given.NAME` needs: packages by the names they are imported under, and the extra with them all."""

    packages: tuple[str, ...]
    extra: str

    def places(self, name: str) -> list[str]:
        """Folders from which the packages are imported. Raises SandboxError where one is not installed."""
        found = {package: find_spec(package) for package in self.packages}
        missing = [package for package, spec in found.items() if spec is None]
        if missing:
            raise SandboxError(
                f"{name} needs {', '.join(missing)}, not installed here: pip install 'openspade[{self.extra}]'"
            )
        return [str(Path(spec.origin).parent.parent) for spec in found.values() if spec and spec.origin]


WORLDS = {
    "openspade.given.reasoning_gym": World(packages=("reasoning_gym",), extra="eval"),
    "openspade.given.rlve": World(packages=("Gym", "networkx", "numpy", "sympy"), extra="rlve"),
}
INSTANCE_BYTES = 65_536
"""What an instance of a world may send at least: questions of other projects are long."""
_NAMED = "openspade.given."


def worlds_of(source: str) -> tuple[str, ...]:
    """The worlds that a program imports, in alphabetical order; none for a program that the gates let pass.

    >>> worlds_of("from openspade.given.rlve import Puzzle")
    ('openspade.given.rlve',)
    """
    if _NAMED not in source:
        return ()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        # Its own child will say what is wrong with it.
        return ()
    imported: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            imported.add(node.module or "")
    return tuple(sorted(imported & WORLDS.keys()))


def places_of(worlds: Sequence[str]) -> list[str]:
    """Folders from which all packages of the worlds are imported. Raises SandboxError where one is not installed."""
    return [place for name in worlds for place in WORLDS[name].places(name)]
