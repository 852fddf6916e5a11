"""The recipes that ship with the package: found by name, listed with a line each, written out to be edited."""

from __future__ import annotations

import difflib
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

import openspade
from openspade.errors import ConfigError

_PACKAGE = Path(openspade.__file__).parent
FOLDERS = (_PACKAGE / "recipes", _PACKAGE.parents[1] / "recipes")
"""In an installed package, and in a clone: the first one that is there."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ShippedRecipe:
    """`name` as a command takes it; `about` is the recipe's first comment line; `trains` is False for `pretrain`'s."""

    name: str
    path: Path
    about: str
    trains: bool


def shipped_recipes() -> list[ShippedRecipe]:
    """All of them, those of experiments last."""
    folder = next((folder for folder in FOLDERS if folder.is_dir()), None)
    paths = sorted(folder.rglob("*.toml"), key=lambda path: (len(path.parts), path.name)) if folder else []
    return [_read(path, str(path.relative_to(folder or path).with_suffix(""))) for path in paths]


def find_recipe(given: Path) -> Path:
    """A recipe's file from its path or its name; raises ConfigError with the nearest name where there is neither."""
    if given.is_file():
        return given
    if given.is_dir():
        raise ConfigError(f"recipe {given} is a folder; name a TOML file in it")
    known = {recipe.name: recipe.path for recipe in shipped_recipes()}
    name = re.sub(r"^(.*/)?recipes/", "", given.with_suffix("").as_posix())
    if name in known and given.suffix in ("", ".toml"):
        return known[name]
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    advice = f"did you mean {close[0]}?" if close else "`openspade recipes` lists those that ship with the package"
    raise ConfigError(f"recipe {given} cannot be read: no such file, and no recipe of that name; {advice}")


def editable_text(recipe: ShippedRecipe) -> str:
    """The recipe's text for another folder: what it extends is named, not pointed at."""

    def named(found: re.Match[str]) -> str:
        parent = (recipe.path.parent / found[1]).resolve()
        return f'extends = "{next(one.name for one in shipped_recipes() if one.path.resolve() == parent)}"'

    return re.sub(r'^extends = "(.+)"', named, recipe.path.read_text(encoding="utf-8"), flags=re.MULTILINE)


def _read(path: Path, name: str) -> ShippedRecipe:
    text = path.read_text(encoding="utf-8")
    about = next((line.strip("# ") for line in text.splitlines() if line.startswith("#")), "")
    return ShippedRecipe(name=name, path=path, about=about, trains="phases" not in tomllib.loads(text))
