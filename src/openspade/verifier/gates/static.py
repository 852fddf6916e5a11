"""Gates that read the program: what it imports and calls, and whether it keeps the contract's shape.

They are courtesies with clear words. The wall against hostile code is the sandbox, not this module.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from openspade.openspade_env import Game, ToolTask, kept_names
from openspade.roles.source import environment_class, methods, parse
from openspade.sandbox.isolation.walls import ALLOWED_MODULES
from openspade.types import Kind, Problem
from openspade.verifier.gate import Case, Judgement
from openspade.verifier.gates.reach import Reach

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
_BASES: dict[Kind, type] = {"game": Game, "tool": ToolTask}


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
    own, reach = _own_names(tree), Reach(tree)
    for node in ast.walk(tree):
        said = (
            _import_problem(node, allowed)
            or _chance_problem(node, own)
            or _call_problem(node, own)
            or reach.problem(node)
        )
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
    taken = None if bare else _taken(tree, environment, kind)
    if taken:
        return taken
    if kind == "tool" and not any(_is_tool(method) for method in own.values()):
        return _broken(f"{environment.name} offers no tool: mark at least one method with @tool.")
    return kind


def _taken(tree: ast.Module, environment: ast.ClassDef, kind: Kind) -> Problem | None:
    """A name of the base class that the program uses for itself: as a method, in the class, as in `self.score = 0`."""
    base = _BASES[kind]
    methods_of_base = kept_names(base) | {"start", "act", "solution"}
    for node in _line_of_descent(tree, environment):
        for item in node.body:
            name = next((name for name in _names_of(item) if name in kept_names(base)), "")
            if name:
                message = f"{name} belongs to {base.__name__}, which judges with it: choose another name."
                return _broken(message, f"line {item.lineno}")
        stored = (
            part for part in ast.walk(node) if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store)
        )
        for part in stored:
            if isinstance(part.value, ast.Name) and part.value.id == "self" and part.attr in methods_of_base:
                message = f"self.{part.attr} belongs to {base.__name__}: choose another name."
                return _broken(message, f"line {part.lineno}")
    return None


def _names_of(item: ast.stmt) -> list[str]:
    """What a statement in a class's body defines."""
    if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [item.name]
    if isinstance(item, ast.Import | ast.ImportFrom):
        return [alias.asname or alias.name for alias in item.names]
    return [part.id for part in ast.walk(item) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]


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
    found: dict[str, ast.FunctionDef] = {}
    for node in _line_of_descent(tree, environment):
        found = {**methods(node), **found}
    return found


def _line_of_descent(tree: ast.Module, environment: ast.ClassDef) -> list[ast.ClassDef]:
    """The environment's class and those of the program that it is derived from, nearest first."""
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    line, seen = [environment], {environment.name}
    for node in line:
        for base in node.bases:
            if isinstance(base, ast.Name) and base.id in classes and base.id not in seen:
                seen.add(base.id)
                line.append(classes[base.id])
    return line


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
