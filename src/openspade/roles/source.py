"""Reads a program without running it: its syntax tree, its environment class, the design that it holds."""

from __future__ import annotations

import ast
import inspect
import warnings
from collections import deque
from hashlib import blake2b

from openspade.types import Design, Kind, Problem

MAX_DEPTH = 100
MAX_SOURCE_CHARS = 200_000
TABLE_CHARS = 100
_Collapsible = ast.FunctionDef | ast.AsyncFunctionDef | ast.Assign | ast.AnnAssign
_BASES = {"Game": "game", "ToolTask": "tool"}


def read_design(source: str, *, max_turns: int = 25) -> Design | Problem:
    """The design in a program; `max_turns` where the program does not say."""
    tree = parse(source)
    if isinstance(tree, Problem):
        return tree
    found = environment_class(tree)
    if isinstance(found, Problem):
        return found
    environment, kind = found
    attributes = _attributes(tree, environment)
    title = ast.get_docstring(environment) or ""
    texts = {"docstring": title, "hint": attributes.get("hint", ""), "skill": attributes.get("skill", "")}
    for name, text in texts.items():
        if not isinstance(text, str) or not text.strip():
            what = "needs a docstring that says what it is" if name == "docstring" else f"needs {name} = a literal text"
            return Problem(gate="contract", message=f"The class {environment.name} {what}.", evidence=_shown(text))
    turns = attributes.get("max_turns", max_turns)
    if type(turns) is not int or turns < 1:
        message = f"max_turns of {environment.name} must be a literal whole number of at least 1."
        return Problem(gate="contract", message=message, evidence=_shown(turns))
    return Design(
        id=design_id(source),
        source=source,
        hint=str(texts["hint"]).strip(),
        skill=str(texts["skill"]).strip(),
        kind=kind,
        title=title,
        max_turns=turns,
    )


def design_id(source: str) -> str:
    """16 hex digits; the hint is part of the source, so equal ids mean equal designs."""
    return blake2b(source.encode("utf-8", "replace"), digest_size=8).hexdigest()


def parse(source: str) -> ast.Module | Problem:
    """The syntax tree, shallow enough that recursion over it is safe."""
    if len(source) > MAX_SOURCE_CHARS:
        return Problem(gate="size", message="The program is too long.", evidence=f"{len(source)} characters")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except SyntaxError as error:
        message = f"The program is not valid Python: {error.msg}."
        return Problem(
            gate="parses", message=message, evidence=f"line {error.lineno}: {(error.text or '').strip()[:120]}"
        )
    except ValueError as error:
        return Problem(gate="parses", message=f"The program is not valid Python: {error}.")
    except (RecursionError, MemoryError):
        return _too_deep()
    return _too_deep() if _depth_exceeds(tree, MAX_DEPTH) else tree


def environment_class(tree: ast.Module) -> tuple[ast.ClassDef, Kind] | Problem:
    """The one class that a loaded program would offer, and whether it is a game or a tool task."""
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    kinds = {name: _kind(node, classes) for name, node in classes.items()}
    found = {name: kind for name, kind in kinds.items() if kind} or {
        name: "game" for name, node in classes.items() if {"reset", "step"} <= methods(node).keys()
    }
    parents = {base for name in found for base in _base_names(classes[name])}
    leaves = [name for name in found if name not in parents]
    if not leaves:
        message = "There is no environment: write one class derived from Game or ToolTask."
        return Problem(gate="contract", message=message, evidence=f"classes: {', '.join(classes) or 'none'}")
    if len(leaves) > 1:
        message = "There must be exactly one environment class; make the others plain helper classes or delete them."
        return Problem(gate="contract", message=message, evidence=f"environment classes: {', '.join(leaves)}")
    return classes[leaves[0]], "tool" if found[leaves[0]] == "tool" else "game"


def methods(node: ast.ClassDef) -> dict[str, ast.FunctionDef]:
    """A class's own methods by name."""
    return {item.name: item for item in node.body if isinstance(item, ast.FunctionDef)}


def outline(source: str, max_chars: int) -> str:
    """The program in at most `max_chars`, still a program: what tells least gives way to `...` first.

    The solution goes before helpers, long tables, the start and at last the mechanic; signatures and docstrings of
    classes stay. "" where that does not fit: nothing is ever cut in the middle.
    """
    if len(source) <= max_chars:
        return source
    tree = parse(source)
    if isinstance(tree, Problem):
        return ""
    text = source
    for node in sorted(_collapsible(tree), key=_worth):
        if isinstance(node, ast.Assign | ast.AnnAssign):
            node.value = ast.Constant(...)
        else:
            node.body = [ast.Expr(ast.Constant(...))]
        text = ast.unparse(tree)
        if len(text) <= max_chars:
            return text
    return ""


def _collapsible(tree: ast.Module) -> list[_Collapsible]:
    """Functions, and tables: values of classes and modules that are longer than a line. Texts stay: one is the hint."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    scopes = [tree, *(node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))]
    tables = [
        node
        for scope in scopes
        for node in scope.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value and not isinstance(node.value, ast.Constant)
        if len(ast.unparse(node.value)) > TABLE_CHARS
    ]
    return [*functions, *tables]


def _worth(node: _Collapsible) -> int:
    if isinstance(node, ast.Assign | ast.AnnAssign):
        return 2
    is_tool = any(isinstance(mark, ast.Name) and mark.id == "tool" for mark in node.decorator_list)
    return {"solution": 0, "start": 3, "act": 4}.get(node.name, 4 if is_tool else 1)


def _too_deep() -> Problem:
    message = f"The program is nested more than {MAX_DEPTH} levels deep: use loops, tables and short expressions."
    return Problem(gate="size", message=message)


def _depth_exceeds(tree: ast.AST, limit: int) -> bool:
    level: deque[ast.AST] = deque([tree])
    for _ in range(limit):
        level = deque(child for node in level for child in ast.iter_child_nodes(node))
        if not level:
            return False
    return True


def _base_names(node: ast.ClassDef) -> list[str]:
    named = [base.value if isinstance(base, ast.Subscript) else base for base in node.bases]
    return [
        base.id if isinstance(base, ast.Name) else base.attr
        for base in named
        if isinstance(base, ast.Name | ast.Attribute)
    ]


def _ancestry(node: ast.ClassDef, classes: dict[str, ast.ClassDef]) -> list[str]:
    """Names of the class and of what it derives from, nearest first."""
    names: list[str] = []
    waiting = [node.name]
    while waiting:
        name = waiting.pop(0)
        if name not in names:
            names.append(name)
            waiting += _base_names(classes[name]) if name in classes else []
    return names


def _kind(node: ast.ClassDef, classes: dict[str, ast.ClassDef]) -> str:
    return next((_BASES[name] for name in _ancestry(node, classes) if name in _BASES), "")


def _attributes(tree: ast.Module, environment: ast.ClassDef) -> dict[str, object]:
    """Literal class attributes, inherited ones included; what is no literal reads as None."""
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    found: dict[str, object] = {}
    for name in reversed(_ancestry(environment, classes)):
        for item in classes[name].body if name in classes else []:
            targets = (
                item.targets
                if isinstance(item, ast.Assign)
                else [item.target]
                if isinstance(item, ast.AnnAssign)
                else []
            )
            value = item.value if isinstance(item, ast.Assign | ast.AnnAssign) else None
            literal = value.value if isinstance(value, ast.Constant) else None
            found.update({target.id: literal for target in targets if isinstance(target, ast.Name)})
    return found


def _shown(value: object) -> str:
    return "" if value in ("", None) else inspect.cleandoc(repr(value))[:120]
