"""From a recipe file and command-line overrides to a checked Config, and back to text."""

from __future__ import annotations

import difflib
import json
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from openspade.config import Config
from openspade.errors import ConfigError
from openspade.settings.section import FREE, Section
from openspade.shipped import FOLDERS, find_recipe

FILES = (("corpus", "path"), ("evaluate", "suite"), ("curriculum", "skills_file"), ("pool", "source"))
"""Settings that may name a file."""


def load(recipe: Path | None, overrides: Sequence[str] = ()) -> Config:
    """A recipe, by path or by the name of a shipped one, with its `extends` chain, then `section.key=value` overrides.

    A value is read as TOML where it parses as such and as a plain string otherwise. Raises ConfigError.
    """
    tree = _read_recipe(find_recipe(recipe), ()) if recipe else {}
    for override in overrides:
        _apply_override(tree, override)
    return parse(tree)


def parse(tree: Mapping[str, object]) -> Config:
    """A Config from a nested mapping; every wrong key or value is named with its path."""
    try:
        return Config.model_validate(tree)
    except ValidationError as error:
        raise ConfigError("\n".join(_explain(item) for item in error.errors())) from None


def show(config: Config) -> str:
    """The whole configuration as TOML, every default spelt out, each setting under its help text."""
    lines: list[str] = []
    for name, value in config:
        if isinstance(value, Section):
            lines.append(f"\n[{name}]")
            lines += _setting_lines(value)
        elif value:
            lines.insert(0, f"{name} = {_toml(value)}")
    return "\n".join(lines).strip() + "\n"


def differences(before: Mapping[str, Any], config: Config) -> list[str]:
    """A sentence for every setting that differs from a stored configuration and is not free."""
    old, new = flat(before), flat(config.model_dump(mode="json", by_alias=True))
    return [
        f"{path} was {json.dumps(old[path])}, now {json.dumps(new[path])}"
        for path in sorted((old.keys() & new.keys()) - Config.marked(FREE))
        if old[path] != new[path]
    ]


def flat(tree: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Every setting of a nested mapping by its dotted path."""
    found: dict[str, Any] = {}
    for key, value in tree.items():
        found |= flat(value, f"{prefix}{key}.") if isinstance(value, Mapping) else {f"{prefix}{key}": value}
    return found


def read_toml(path: Path) -> dict[str, Any]:
    """A recipe's file as it stands. Raises ConfigError."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"recipe {path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"recipe {path} is not TOML: {error}") from None


def _read_recipe(path: Path, children: tuple[Path, ...]) -> dict[str, Any]:
    path = path.resolve()
    if path in children:
        raise ConfigError(f"recipe {path} extends itself through {', '.join(child.name for child in children)}")
    tree = read_toml(path)
    _find_files(tree, path.parent)
    parent = str(tree.pop("extends", ""))
    if not parent:
        return tree
    beside = path.parent / parent
    return _merge(_read_recipe(beside if beside.exists() else find_recipe(Path(parent)), (*children, path)), tree)


def _find_files(tree: dict[str, Any], folder: Path) -> None:
    """Files that a recipe names are looked for where the command runs, then beside it and among what ships."""
    for section, key in FILES:
        named = tree.get(section)
        if not isinstance(named, dict):
            continue
        value = named.get(key)
        if isinstance(value, str) and Path(value).suffix and ":" not in value and not Path(value).exists():
            places = (place / value for place in (folder, *(shipped.parent for shipped in FOLDERS)))
            named[key] = next((str(place) for place in places if place.exists()), value)


def _merge(base: dict[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in over.items():
        old = merged.get(key)
        merged[key] = _merge(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged


def _apply_override(tree: dict[str, Any], override: str) -> None:
    path, equals, text = override.partition("=")
    keys = path.strip().split(".")
    if not equals or not all(keys):
        raise ConfigError(f"override {override!r} is not of the form section.key=value")
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text
    for key in keys[:-1]:
        tree = tree.setdefault(key, {})
        if not isinstance(tree, dict):
            raise ConfigError(f"override {override!r}: {key} is a setting, not a section")
    tree[keys[-1]] = value


def _explain(item: Mapping[str, Any]) -> str:
    path = ".".join(str(part) for part in item["loc"])
    if item["type"] == "extra_forbidden":
        return f"unknown setting {path}{_suggest(item['loc'])}"
    return f"{path} is {item['input']!r}: {item['msg'][0].lower() + item['msg'][1:]}"


def _suggest(location: Sequence[str | int]) -> str:
    section = Config.model_fields.get(str(location[0]))
    kind = section.annotation if section and len(location) > 1 else Config
    fields = kind.model_fields if isinstance(kind, type) and issubclass(kind, Section) else {}
    prefix = "" if kind is Config else f"{location[0]}."
    known = [prefix + (field.alias or name) for name, field in fields.items()]
    close = difflib.get_close_matches(prefix + str(location[-1]), known, n=1)
    return f"; did you mean {close[0]}?" if close else f"; known here: {', '.join(known)}"


def _setting_lines(section: Section) -> list[str]:
    lines: list[str] = []
    for name, field in type(section).model_fields.items():
        lines.append(f"# {' '.join((field.description or '').split())}")
        lines.append(f"{field.alias or name} = {_toml(getattr(section, name))}")
    return lines


def _toml(value: object) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    if isinstance(value, float):
        return repr(value)
    return json.dumps(str(value) if isinstance(value, Path) else value, ensure_ascii=False)
