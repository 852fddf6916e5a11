"""Gates that read the program: what it imports and calls, and whether it keeps the contract's shape.

They are courtesies with clear words. The wall against hostile code is the sandbox, not this module.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from openspade.roles.source import environment_class, methods, parse
from openspade.sandbox.isolation.walls import ALLOWED_MODULES
from openspade.types import Kind, Problem
from openspade.verifier.gate import Case, Judgement

# Clocks and entropy load in the sandbox, but an environment that uses them cannot be replayed.
UNREPEATABLE = frozenset({"time", "secrets", "uuid", "queue", "weakref", "traceback", "io", "warnings"})
_FORBIDDEN_CALLS = {
    "hash": "differs from process to process; compare the values themselves",
    "id": "is a memory address; compare the values themselves",
    "open": "reaches for a file; keep everything in the program",
    "input": "waits for a keyboard; the action comes as an argument",
    **dict.fromkeys(
        ("eval", "exec", "compile", "__import__", "breakpoint"), "runs text as code; write the code itself"
    ),
    **dict.fromkeys(("exit", "quit"), "ends the process; end an episode with win() or lose()"),
}
_BASE_METHODS: dict[Kind, frozenset[str]] = {
    "game": frozenset({"start", "act", "solution", "win", "lose", "score", "reset", "step", "plan"}),
    "tool": frozenset({"start", "solution", "call", "decline", "fail_once", "reset", "step", "plan"}),
}
_CLOCKS = frozenset({"now", "utcnow", "today"})


def allowed_modules(*, numpy: bool) -> frozenset[str]:
    """What an environment may import."""
    extra = {"openspade_env", "numpy"} if numpy else {"openspade_env"}
    return (frozenset(ALLOWED_MODULES) - UNREPEATABLE) | extra


def imports(case: Case) -> Judgement:
    """Only modules and calls that are the same in every replay."""
    tree = parse(case.design.source)
    if isinstance(tree, Problem):
        return tree
    allowed = allowed_modules(numpy=case.config.numpy)
    own = _own_names(tree)
    for node in ast.walk(tree):
        said = _import_problem(node, allowed) or _chance_problem(node, own) or _call_problem(node, own)
        if said:
            line = getattr(node, "lineno", 0)
            return Problem(gate="imports", message=said, evidence=f"line {line}: {ast.unparse(node)[:120]}")
    return None


def contract(case: Case) -> Judgement:
    """The methods of the contract, with their arguments."""
    tree = parse(case.design.source)
    found = tree if isinstance(tree, Problem) else environment_class(tree)
    if isinstance(found, Problem) or isinstance(tree, Problem):
        return found if isinstance(found, Problem) else None
    environment, kind = found
    own = _inherited(tree, environment)
    bare = "start" not in own and {"reset", "step"} <= own.keys()
    wanted = {"step": 2, "solution": 1} if bare else {"start": 2, "act": 2, "solution": 1}
    if kind == "tool":
        wanted = {"start": 2, "solution": 1}
    for name, count in wanted.items():
        shape = {1: "(self)", 2: "(self, rng)" if name == "start" else "(self, action)"}[count]
        if name not in own:
            return _broken(f"{environment.name} needs a method {name}{shape}.")
        if not _takes(own[name], count):
            return _broken(f"{name} of {environment.name} must be {name}{shape}.", f"line {own[name].lineno}")
    taken = None if bare else _overwritten(environment, kind)
    if taken:
        base = "ToolTask" if kind == "tool" else "Game"
        return _broken(f"self.{taken.attr} is a method of {base}: choose another name.", f"line {taken.lineno}")
    if kind == "tool" and not any(_is_tool(method) for method in own.values()):
        return _broken(f"{environment.name} offers no tool: mark at least one method with @tool.")
    return kind


def _overwritten(environment: ast.ClassDef, kind: Kind) -> ast.Attribute | None:
    """An attribute that takes the place of one of the base's methods, as in `self.score = 0`."""
    stored = (node for node in ast.walk(environment) if isinstance(node, ast.Attribute))
    mine = (node for node in stored if isinstance(node.value, ast.Name) and node.value.id == "self")
    return next((node for node in mine if isinstance(node.ctx, ast.Store) and node.attr in _BASE_METHODS[kind]), None)


def _broken(message: str, evidence: str = "") -> Problem:
    return Problem(gate="contract", message=message, evidence=evidence)


def _takes(function: ast.FunctionDef, count: int) -> bool:
    given = function.args
    required = len(given.posonlyargs) + len(given.args) - len(given.defaults)
    most = len(given.posonlyargs) + len(given.args)
    return required <= count and (count <= most or given.vararg is not None)


def _is_tool(function: ast.FunctionDef) -> bool:
    names = [
        node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "") for node in function.decorator_list
    ]
    return "tool" in names


def _inherited(tree: ast.Module, environment: ast.ClassDef) -> dict[str, ast.FunctionDef]:
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    found: dict[str, ast.FunctionDef] = {}
    waiting, seen = [environment], {environment.name}
    while waiting:
        node = waiting.pop(0)
        found = {**methods(node), **found}
        for base in node.bases:
            if isinstance(base, ast.Name) and base.id in classes and base.id not in seen:
                seen.add(base.id)
                waiting.append(classes[base.id])
    return found


def _import_problem(node: ast.AST, allowed: frozenset[str]) -> str:
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        names = ["." if node.level else node.module or "."]
        if node.module == "random" and any(alias.name != "Random" for alias in node.names):
            return "Use the rng that start() is given, not the global functions of random."
    else:
        return ""
    for name in names:
        if name.split(".")[0] not in allowed:
            return f"The module {name} may not be imported; there are {', '.join(sorted(allowed))}."
    return ""


def _chance_problem(node: ast.AST, own: frozenset[str]) -> str:
    """Any use of the module random but the class Random, be it a call or the module handed on."""
    if "random" in own:
        return ""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Name) and child.id == "random":
            named = node.attr if isinstance(node, ast.Attribute) else ""
            return "" if named == "Random" else "Use the rng that start() is given, not the global functions of random."
    return ""


def _call_problem(node: ast.AST, own: frozenset[str]) -> str:
    if not isinstance(node, ast.Call):
        return ""
    function = node.func
    if isinstance(function, ast.Name) and function.id in _FORBIDDEN_CALLS and function.id not in own:
        return f"{function.id}() {_FORBIDDEN_CALLS[function.id]}."
    if isinstance(function, ast.Attribute):
        if function.attr in _CLOCKS and ast.unparse(function.value).split(".")[-1] in ("datetime", "date"):
            return f"{function.attr}() reads a clock; take dates from the rng."
        if function.attr == "Random" and not node.args and not node.keywords:
            return "random.Random() without a seed differs in every run; use the rng that start() is given."
    return ""


def _own_names(tree: ast.Module) -> frozenset[str]:
    """Names that the program itself gives a meaning: a parameter called `id` is no builtin."""
    return frozenset(_bound(tree))


def _bound(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
