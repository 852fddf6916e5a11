"""When are two environments the same, and how alike are they? Judged on the program, not on its names and its story.

`fingerprint` answers the first exactly; a `Sketch` (MinHash) answers the second approximately, in constant space.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib import resources

import numpy as np
from datasketch import MinHash

PERMUTATIONS = 96
BAND_ROWS = 8
"""Twelve bands of eight: designs that agree on 90 % share a band with probability .999, on 70 % .51, on 50 % .05."""
OBSERVED = 100
"""Bands of observations, told apart from bands of programs."""
PROGRAM_SHINGLE = 3
WORD_SHINGLE = 3

# Names with a meaning outside the program: masking `act` or `win` would make different programs equal.
CONTRACT_NAMES = frozenset(
    "start act solution reset step done answers impossible hint skill max_turns state requests title".split()
)
DROPPED_ATTRIBUTES = frozenset({"hint", "skill"})
_SKIPPED_FIELDS = frozenset({"ctx", "kind", "type_comment", "type_params", "type_ignores"})
_BUILTINS = frozenset(dir(builtins))
_WORD = re.compile(r"[^\W\d_]+|\d+(?:\.\d+)?|[^\w\s]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Sketch:
    """A MinHash of a set of shingles: minima of four bytes each, whose agreement estimates the Jaccard similarity."""

    packed: bytes

    def similarity(self, other: Sketch) -> float:
        """Estimated share of common shingles, in [0, 1]; standard error at most .05."""
        return float(np.count_nonzero(_minima(self) == _minima(other))) / PERMUTATIONS

    def bands(self, kind: int = 0) -> tuple[int, ...]:
        """Signed 64-bit keys; alike sketches of a kind share at least one of them with high probability."""
        size = 4 * BAND_ROWS
        chunks = (self.packed[start : start + size] for start in range(0, len(self.packed), size))
        digests = (blake2b(bytes([band]) + chunk, digest_size=8).digest() for band, chunk in enumerate(chunks, kind))
        return tuple(int.from_bytes(digest, "big", signed=True) for digest in digests)


def fingerprint(source: str) -> str:
    """Equal for programs that differ only in names of their own, comments, docstrings, hint and skill.

    Numbers and other constants count. Text that is not Python is hashed as it stands.
    """
    tree = _parsed(source)
    text = source if tree is None else "\x1f".join(_tokens(tree, _OwnNames(tree)))
    return blake2b(text.encode(errors="surrogatepass"), digest_size=16).hexdigest()


def similarity(one: str, other: str) -> float:
    """How alike two programs are, from 0 to 1; their own names, numbers and texts are left out of account."""
    return sketch_program(one).similarity(sketch_program(other))


def sketch_program(source: str) -> Sketch:
    """Sketch of what a program does: runs of syntax tokens, less those that any environment must contain.

    Own names and texts are masked; of whole numbers the bit length stays, so that another size shows a little.
    """
    tree = _parsed(source)
    if tree is None:
        return sketch(_runs(source.split(), PROGRAM_SHINGLE))
    runs = set(_runs(list(_tokens(tree, None)), PROGRAM_SHINGLE))
    return sketch(runs - _shell() or runs)


def sketch_observations(observations: Sequence[str]) -> Sketch:
    """Sketch of what a player reads: runs of words, any row of numbers masked as one, over all observations."""
    return sketch(run for text in observations for run in _runs(_template(text), WORD_SHINGLE))


def sketch(shingles: Iterable[str]) -> Sketch:
    """MinHash of a set of strings; the same in every process."""
    minhash = MinHash(num_perm=PERMUTATIONS, seed=1)
    minhash.update_batch([shingle.encode(errors="surrogatepass") for shingle in set(shingles)])
    return Sketch(packed=minhash.hashvalues.astype("<u4").tobytes())


def constants(source: str) -> tuple[str, ...]:
    """The distinct numbers a program is written with, in order of appearance: what its difficulty hangs on."""
    tree = _parsed(source)
    found: dict[str, None] = {}
    waiting: list[ast.AST] = [tree] if tree else []
    while waiting:
        node = waiting.pop()
        value = node.value if isinstance(node, ast.Constant) else None
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 10**12:
            found[repr(value)] = None
        waiting += reversed(list(ast.iter_child_nodes(node)))
    return tuple(found)


def _minima(sketch: Sketch) -> np.ndarray:
    return np.frombuffer(sketch.packed, dtype="<u4")


def _parsed(source: str) -> ast.Module | None:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _runs(tokens: Sequence[str], length: int) -> Iterator[str]:
    if len(tokens) < length:
        yield "\x1f".join(tokens)
    for start in range(len(tokens) - length + 1):
        yield "\x1f".join(tokens[start : start + length])


def _template(text: str) -> list[str]:
    words = ["#" if word[0].isdigit() else word for word in _WORD.findall(text.lower())]
    spoken = [word for word in words if word == "#" or word[0].isalpha()]
    return [word for place, word in enumerate(spoken) if word != "#" or spoken[place - 1 : place] != ["#"]] or words


@cache
def _shell() -> frozenset[str]:
    text = (resources.files("openspade.memory") / "shell.txt").read_text(encoding="utf-8")
    return frozenset(_runs(list(_tokens(ast.parse(text), None)), PROGRAM_SHINGLE))


class _OwnNames:
    """The names a program gives itself, numbered by first use, so that renaming changes nothing."""

    def __init__(self, tree: ast.Module) -> None:
        self._own = {name for node in ast.walk(tree) for name in _bound(node)} - CONTRACT_NAMES
        self._numbers: dict[str, str] = {}

    def __call__(self, name: str) -> str:
        if name not in self._own:
            return name
        return self._numbers.setdefault(name, f"\x1e{len(self._numbers)}")


def _bound(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            if not (name.startswith("__") and name.endswith("__")):
                yield name
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) | ast.Attribute(attr=name, ctx=ast.Store()):
            yield name
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case _:
            return


@dataclass(frozen=True, slots=True)
class _Word:
    """A name in the tree, not yet masked."""

    text: str


def _tokens(tree: ast.AST, names: _OwnNames | None) -> Iterator[str]:
    """A tree as a flat list that does not depend on the Python version; `names` None masks numbers and texts too.

    Without recursion: a program may nest deeper than our own stack.
    """
    waiting: list[ast.AST | _Word | str] = [tree]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, _Word):
            yield _name(item.text, names)
        else:
            yield type(item).__name__
            if isinstance(item, ast.Constant):
                yield _constant(item.value, names)
            else:
                waiting += reversed(_parts(item))


def _parts(node: ast.AST) -> list[ast.AST | _Word | str]:
    parts: list[ast.AST | _Word | str] = []
    for field, value in ast.iter_fields(node):
        if field not in _SKIPPED_FIELDS and value is not None and value != []:
            items = _kept(node, field, value if isinstance(value, list) else [value])
            parts += [field, *(item if isinstance(item, ast.AST) else _Word(str(item)) for item in items)]
    return [*parts, ")"]


def _kept(node: ast.AST, field: str, items: list[object]) -> list[object]:
    if field != "body" or not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        return items
    return [item for item in items if not (_is_docstring(item) or _is_dropped_attribute(node, item))]


def _is_docstring(statement: object) -> bool:
    # Any bare text is a docstring or a comment in disguise; neither does anything.
    match statement:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
        case _:
            return False


def _is_dropped_attribute(node: ast.AST, statement: object) -> bool:
    match node, statement:
        case ast.ClassDef(), ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name in DROPPED_ATTRIBUTES
        case _:
            return False


def _constant(value: object, names: _OwnNames | None) -> str:
    if type(value) is int:
        return f"int{value.bit_length()}" if names is None else hex(value)
    if names is None:
        return type(value).__name__
    # A tool's name also stands as a text in the plan that calls it.
    return names(value) if isinstance(value, str) and value.isidentifier() else repr(value)


def _name(name: str, names: _OwnNames | None) -> str:
    if names is not None:
        return names(name)
    return name if name in _BUILTINS or name in CONTRACT_NAMES else "name"
