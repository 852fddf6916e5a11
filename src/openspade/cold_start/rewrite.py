"""The same program in other words and numbers, so that a model learns how programs are written, not forty by heart.

A rewritten program is a guess: the gates decide whether it still is an environment.
"""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Callable, Sequence
from itertools import pairwise

# Each row: names that mean the same, in code and in prose. Names of the contract are not among them.
SYNONYMS = (
    ("secret", "hidden", "wanted"),
    ("answer", "right", "result"),
    ("guess", "tried", "given"),
    ("number", "value", "figure"),
    ("numbers", "values", "figures"),
    ("names", "people", "persons"),
    ("name", "person"),
    ("word", "term"),
    ("words", "terms"),
    ("total", "whole"),
    ("goal", "target", "aim"),
    ("items", "things", "goods"),
    ("count", "amount"),
    ("size", "width"),
    ("sizes", "widths"),
    ("start_at", "begin_at", "origin"),
    ("order", "ticket", "parcel"),
    ("room", "hall", "chamber"),
    ("rooms", "halls", "chambers"),
    ("price", "cost"),
    ("prices", "costs"),
    ("message", "notice"),
    ("city", "town"),
    ("cities", "towns"),
)
NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()
SMALLEST_CHANGED = 3
"""0, 1 and 2 are rarely sizes: they are beginnings, steps and pairs."""


def rewrite(source: str, skills: Sequence[str], rng: random.Random) -> str:
    """The program with some names, numbers and orders of words changed; another of `skills` now and then."""
    changes: list[Callable[[str, random.Random], str]] = [_rename, _renumber, _renumber, _reorder]
    for change in changes:
        if rng.random() < 0.7:
            source = change(source, rng)
    return _reskill(source, rng.choice(skills)) if rng.random() < 0.3 else source


def _rename(source: str, rng: random.Random) -> str:
    """Own names in other words, everywhere at once: in the prose too, where they mean the same."""
    own = _own_names(ast.parse(source))
    words = set(re.findall(r"\w+", source))
    for row in SYNONYMS:
        free = [name for name in row if name not in words]
        old = next((name for name in row if name in own), "")
        if old and free and rng.random() < 0.5:
            source = re.sub(rf"\b{old}\b", rng.choice(free), source)
    return source


def _renumber(source: str, rng: random.Random) -> str:
    """One number a little larger or smaller wherever it stands, in code and in texts."""
    constants = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
    values = {value for value in constants if type(value) is int and value >= SMALLEST_CHANGED}
    usable = sorted(value for value in values if not _is_spelt(value, source))
    if not usable:
        return source
    old = rng.choice(usable)
    new = max(2, round(old * rng.uniform(0.6, 1.5)) + rng.choice((-1, 0, 1)))
    return re.sub(rf"(?<![\w.]){old}(?![\w.]\d?)", str(new), source)


def _reorder(source: str, rng: random.Random) -> str:
    """One list of words in another order."""
    rows = [
        [item for item in node.elts if isinstance(item, ast.Constant) and isinstance(item.value, str)]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.List | ast.Tuple) and len(node.elts) > SMALLEST_CHANGED
    ]
    rows = [row for row in rows if len(row) > SMALLEST_CHANGED and row[0].lineno == row[-1].end_lineno]
    if not rows:
        return source
    row = rng.choice(rows)
    lines = source.splitlines(keepends=True)
    line = lines[row[0].lineno - 1].encode()
    pieces = [line[item.col_offset : item.end_col_offset] for item in row]
    between = [line[one.end_col_offset : other.col_offset] for one, other in pairwise(row)]
    rng.shuffle(pieces)
    middle = b"".join(piece + gap for piece, gap in zip(pieces, [*between, b""], strict=True))
    lines[row[0].lineno - 1] = (line[: row[0].col_offset] + middle + line[row[-1].end_col_offset :]).decode()
    return "".join(lines)


def _reskill(source: str, skill: str) -> str:
    return re.sub(r'^(    skill = )".*"$', rf'\1"{skill}"', source, count=1, flags=re.MULTILINE)


def _own_names(tree: ast.Module) -> set[str]:
    """Variables and attributes that the program sets itself."""
    return {
        node.id if isinstance(node, ast.Name) else node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store)
    }


def _is_spelt(value: int, source: str) -> bool:
    """Whether the number also stands there as a word, which would then be wrong."""
    return value < len(NUMBER_WORDS) and bool(re.search(rf"\b{NUMBER_WORDS[value]}\b", source, re.IGNORECASE))
