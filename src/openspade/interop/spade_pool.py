"""SPADE's released pools: programs with their manifests, each wrapped so that it keeps our contract.

The programs expect names that their loader put there, and draw from the global generator. Nothing of them is run here:
what is read is read from their text, and `importing` tries each in the sandbox.
"""

from __future__ import annotations

import ast
import hashlib
import json
import keyword
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from openspade.errors import ConfigError
from openspade.interop.package import TEMPLATES, Filled
from openspade.roles.source import parse
from openspade.types import Problem

INJECTED = (
    "collections copy dataclasses enum functools heapq itertools json math operator random re string textwrap typing"
)
MOST_TURNS = 25
_ROWS = (".jsonl", ".json")
_NAMES = ("path_in_dataset", "filename", "file_name", "path", "file")
_UNKNOWN = "imported"
_IMPORT = re.compile(r"^([ \t]*)import ([\w., ]+)$", re.MULTILINE)
_TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "array": "list", "object": "dict"}


@dataclass(frozen=True, kw_only=True, slots=True)
class ForeignProgram:
    """One program of a pool as it lies there: where, its text, and what the manifest says of it."""

    name: str
    code: str
    facts: Mapping[str, object]


def foreign_programs(folder: Path) -> Iterator[ForeignProgram]:
    """The programs of a file of rows with `code`, or of a folder with or without manifests. Raises ConfigError."""
    if folder.is_file() and folder.suffix in _ROWS:
        yield from _rows_with_code(folder)
        return
    manifests = [file for file in sorted(folder.glob("*")) if file.suffix in _ROWS] if folder.is_dir() else []
    facts: dict[str, Mapping[str, object]] = {}
    for manifest in manifests:
        for row in _rows(manifest):
            if isinstance(row.get("code"), str):
                yield _program(row, manifest)
            for name in _names_of(row):
                facts.setdefault(name, row)
    for path in sorted(folder.rglob("*.py")) if folder.is_dir() else [folder]:
        known = facts.get(str(path.relative_to(folder))) if folder.is_dir() else None
        known = known or facts.get(path.name, {})
        yield ForeignProgram(name=path.name, code=path.read_text(encoding="utf-8", errors="replace"), facts=known)


@dataclass(frozen=True, kw_only=True, slots=True)
class Wrapping:
    """A program as ours. A tool task's tools are known once it is begun: `probe` shows them first."""

    source: str
    probe: str = ""


def wrapped(program: ForeignProgram) -> Wrapping | Problem:
    """The program with what it needs around it, or why that cannot be done."""
    wanted = program.facts.get("sha256")
    if isinstance(wanted, str) and wanted != hashlib.sha256(program.code.encode()).hexdigest():
        return Problem(gate="import", message="the program is not the one that its manifest names: sha256 differs")
    tree = parse(program.code)
    if isinstance(tree, Problem):
        return tree
    found = _environment(tree)
    if found is None:
        return Problem(gate="import", message="there is no class whose name ends in Env, with reset and step")
    title = ast.get_docstring(found) or f"{found.name}, from a pool of SPADE's."
    names = {
        "TITLE": repr(" ".join(title.split())[:400]),
        "SKILL": repr(_skill(program)),
        "MAX_TURNS": str(_max_turns(found)),
        "CLASS": found.name,
        "BOXED": str("boxed" in program.code),
    }
    code = _IMPORT.sub(_without_random, re.sub(r"^from __future__ import .*$", "", program.code, flags=re.MULTILINE))
    base = _template("base") if "ToolUseBaseEnv" in code or "TerminalBaseEnv" in code else ""
    before = "\n".join([_HEAD, base, code])
    if {"ToolUseBaseEnv", "TerminalBaseEnv"} & _bases(tree, found):
        source = Filled(_template("tool")).safe_substitute(names)
        return Wrapping(source=before + source, probe=before + Filled(_template("probe")).safe_substitute(names))
    return Wrapping(source=before + Filled(_template("game")).safe_substitute(names))


def with_tools(source: str, told: str) -> str | Problem:
    """A tool task with a method for each tool that its probe told, and `answer` beside them."""
    try:
        schemas = [schema.get("function", schema) for schema in json.loads(told)]
        methods = [_method(schema) for schema in schemas if schema["name"] != "decline"]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        return Problem(gate="import", message=f"its tools cannot be read: {error}")
    names = {schema["name"] for schema in schemas}
    return Filled(source).safe_substitute(ANSWER="final_answer" if "answer" in names else "answer") + "".join(methods)


def _method(schema: Mapping[str, Any]) -> str:
    name, parameters = schema["name"], schema.get("parameters") or {}
    properties, required = parameters.get("properties") or {}, parameters.get("required") or []
    for word in (name, *properties):
        if not word.isidentifier() or keyword.iskeyword(word) or word.startswith("_"):
            raise ValueError(f"{word!r} cannot be a name in Python")
    hints = {key: _TYPES.get(value.get("type"), "_typing.Any") for key, value in properties.items()}
    ordered = sorted(properties, key=lambda key: key not in required)
    taken = [f"{key}: {hints[key]}" if key in required else f"{key}: {_optional(hints[key])} = None" for key in ordered]
    described = [f"{key}: {_line(properties[key].get('description') or key)}" for key in ordered]
    doc = "\n".join([_line(schema.get("description") or name), "", *described])
    passed = ", ".join(f"{key!r}: {key}" for key in ordered)
    return (
        f"\n    @_contract.tool\n    def {name}({', '.join(['self', *taken])}) -> str:\n"
        f"        {doc!r}\n        return self._called({name!r}, {{{passed}}})\n"
    )


def _optional(hint: str) -> str:
    return hint if hint == "_typing.Any" else f"{hint} | None"


def _without_random(statement: re.Match[str]) -> str:
    """An import without the module whose name the head gives to a generator of the program's own."""
    kept = [name.strip() for name in statement[2].split(",") if name.strip() != "random"]
    return f"{statement[1]}import {', '.join(kept)}" if kept else f"{statement[1]}pass"


def _line(text: object) -> str:
    return " ".join(str(text).split())


def _template(name: str) -> str:
    return (TEMPLATES / "spade" / f"{name}.py.txt").read_text(encoding="utf-8")


def _program(row: Mapping[str, object], file: Path) -> ForeignProgram:
    names = _names_of(row) or [str(row.get("game_id", file.name))]
    facts = {name: value for name, value in row.items() if name != "code"}
    return ForeignProgram(name=names[0], code=str(row["code"]), facts=facts)


def _rows_with_code(file: Path) -> Iterator[ForeignProgram]:
    rows = [row for row in _rows(file) if isinstance(row.get("code"), str)]
    if not rows:
        raise ConfigError(f"{file} has no row with a text `code`: name a pool of programs")
    yield from (_program(row, file) for row in rows)


def _rows(file: Path) -> list[Mapping[str, object]]:
    """Rows of JSONL, of a list, or of the longest list in an object (a manifest's `games`)."""
    try:
        text = file.read_text(encoding="utf-8-sig")
        read = (
            [json.loads(line) for line in text.splitlines() if line.strip()]
            if file.suffix == ".jsonl"
            else json.loads(text)
        )
    except (OSError, ValueError) as error:
        raise ConfigError(f"{file} cannot be read: {error}") from None
    if isinstance(read, dict):
        read = max((value for value in read.values() if isinstance(value, list)), key=len, default=[])
    return [row for row in read if isinstance(row, dict)] if isinstance(read, list) else []


def _names_of(row: Mapping[str, object]) -> list[str]:
    named = [str(row[name]) for name in _NAMES if isinstance(row.get(name), str)]
    return [*named, *(Path(name).name for name in named)]


def _environment(tree: ast.Module) -> ast.ClassDef | None:
    """The first class whose name ends in Env, as SPADE's own loader takes it; else one that has reset and step."""
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    named = [node for node in classes if node.name.endswith("Env")]
    complete = [
        node
        for node in classes
        if {"reset", "step"} <= {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
    ]
    return next(iter([*named, *complete]), None)


def _bases(tree: ast.Module, found: ast.ClassDef) -> set[str]:
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    names: set[str] = set()
    waiting = [found]
    while waiting:
        fresh = {base.id for base in waiting.pop().bases if isinstance(base, ast.Name)} - names
        names |= fresh
        waiting += [classes[name] for name in fresh if name in classes]
    return names


def _skill(program: ForeignProgram) -> str:
    told = program.facts.get("skill")
    if isinstance(told, str) and told.strip():
        return told.strip().replace("_", " ")
    named = re.fullmatch(r"game_\d+_([a-z_]+)\.py", str(program.facts.get("original_file_name", program.name)))
    return named[1].replace("_", " ") if named else _UNKNOWN


def _max_turns(found: ast.ClassDef) -> int:
    """A literal `max_turns` of the class or of its constructor, at most SPADE's own cap."""
    for node in ast.walk(found):
        if isinstance(node, ast.FunctionDef) and node.name == "__init__":
            names = [argument.arg for argument in node.args.args][-len(node.args.defaults) or len(node.args.args) :]
            for name, default in zip(names, node.args.defaults, strict=False):
                if name == "max_turns" and isinstance(default, ast.Constant) and type(default.value) is int:
                    return min(max(default.value, 1), MOST_TURNS)
    return MOST_TURNS


_HEAD = "\n".join(
    [
        '"""A program of a pool that SPADE released, wrapped for OpenSPADE."""',
        "",
        "import openspade_env as _contract",
        "import json as _json",
        "import random as _random",
        "import re as _re",
        "import typing as _typing",
        *(f"import {name}" for name in INJECTED.split() if name not in ("json", "random", "re", "typing")),
        "import json, re, typing",
        "from collections import Counter, defaultdict, deque, namedtuple",
        "from dataclasses import dataclass, field",
        "from enum import Enum",
        "from typing import *",
        "",
        "",
        "class _Draws(_random.Random):",
        "    Random = _random.Random",
        "",
        "",
        "random = _Draws(0)",
        "",
    ]
)
