"""What a program may reach: its own objects, and nothing of the interpreter or of what all episodes share.

Clear words for the Designer, not a wall: each arm runs in a child of its own, and what slips through is played alone.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from random import Random
from types import ModuleType

from openspade.sandbox.isolation.walls import ALLOWED_MODULES, INSIDES

_SEALED_NAMES = frozenset({"__builtins__", "__loader__", "__spec__"})
_HIDDEN_MODULES = frozenset(
    "sys _sys os _os builtins inspect gc ctypes threading _thread importlib linecache signal socket subprocess marshal "
    "pickle tokenize".split()
)
_CLOCKS = frozenset({"now", "utcnow", "today"})
_SETTERS = frozenset({"setattr", "delattr"})
_CHANGES = frozenset(
    "append appendleft extend insert add update setdefault pop popleft popitem clear remove discard sort".split()
)
_IN_TEXT = re.compile("|".join(sorted(INSIDES)))


class Reach:
    """The names that a program has imported, with what they stand for."""

    def __init__(self, tree: ast.Module) -> None:
        self._stored = {
            node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        }
        self._imported = dict(_imported(tree))
        self._defined = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}

    def problem(self, node: ast.AST) -> str:
        """Why this node may not stand in a program; "" when it may."""
        return self._inside(node) or self._through_module(node) or self._change(node) or self._clock(node)

    def _inside(self, node: ast.AST) -> str:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found = _IN_TEXT.search(node.value)
            return _inside(found[0]) if found else ""
        if isinstance(node, ast.MatchClass):
            return next((_inside(name) for name in node.kwd_attrs if name in INSIDES), "")
        if isinstance(node, ast.Name) and node.id in _SEALED_NAMES:
            return _inside(node.id)
        if not isinstance(node, ast.Attribute):
            return _computed(node)
        if node.attr in INSIDES:
            return _inside(node.attr)
        own = isinstance(node.value, ast.Name) and node.value.id == "self" and node.attr in self._stored
        if node.attr in _HIDDEN_MODULES and isinstance(node.ctx, ast.Load) and not own:
            return f"{node.attr} is reached through something else: what may be imported is imported by its name."
        return ""

    def _through_module(self, node: ast.AST) -> str:
        if isinstance(node, ast.ImportFrom) and not node.level and node.module in ALLOWED_MODULES:
            module = importlib.import_module(node.module)
            return next(filter(None, (_hidden(module, alias.name) for alias in node.names)), "")
        if isinstance(node, ast.Attribute):
            owner = self._meant(node.value)
            if isinstance(owner, ModuleType):
                return _hidden(owner, node.attr)
        return ""

    def _change(self, node: ast.AST) -> str:
        """A change of something imported: of an attribute, an item, or a list or table that a module holds."""
        target: ast.AST | None = None
        if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            target = node
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _SETTERS:
            target = node.args[0] if node.args else None
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGES:
            held = self._meant(node.func.value)
            target = node.func if isinstance(held, list | dict | set | bytearray) else None
        root = _root(target) if target is not None else ""
        if root not in self._imported:
            return ""
        return f"It changes {root}, which is imported and the same for all episodes: keep all state in self."

    def _clock(self, node: ast.AST) -> str:
        """`now` and `today` under whatever name their class has here, and chance that nothing seeds."""
        if isinstance(node, ast.Call) and not node.args and not node.keywords and self._meant(node.func) is Random:
            return f"{ast.unparse(node)} without a seed differs in every run; use the rng that start() is given."
        name = node.attr if isinstance(node, ast.Attribute) else _asked_by_name(node)
        of_its_own = name in self._stored | self._defined and not isinstance(self._owner(node), ModuleType | type)
        return f"{name}() reads a clock; take dates from the rng." if name in _CLOCKS and not of_its_own else ""

    def _owner(self, node: ast.AST) -> object:
        return self._meant(node.value) if isinstance(node, ast.Attribute) else None

    def _meant(self, node: ast.AST) -> object:
        """What an imported name, or a chain of attributes that begins with one, stands for; None where unknown."""
        if isinstance(node, ast.Name):
            return self._imported.get(node.id)
        if isinstance(node, ast.Attribute):
            owner = self._meant(node.value)
            return getattr(owner, node.attr, None) if isinstance(owner, ModuleType) else None
        return None


def _asked_by_name(node: ast.AST) -> str:
    """The name in `getattr(x, "name")`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "getattr":
        names = [part.value for part in node.args[1:2] if isinstance(part, ast.Constant)]
        return str(names[0]) if names else ""
    return ""


def _inside(name: str) -> str:
    return f"{name} reaches into the interpreter: a program needs nothing but its own objects."


def _computed(node: ast.AST) -> str:
    """`attrgetter(text)`: a name that is only known when it runs."""
    if not isinstance(node, ast.Call):
        return ""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    fixed = all(isinstance(argument, ast.Constant) for argument in node.args)
    return "" if name != "attrgetter" or fixed else "attrgetter() takes names that are written out."


def _hidden(module: ModuleType, name: str) -> str:
    if name.startswith("_") and not name.endswith("__"):
        return f"{name} is private to the module {module.__name__}."
    value = getattr(module, name, None)
    if isinstance(value, ModuleType) and value.__name__.split(".")[0] not in ALLOWED_MODULES:
        return f"The module {name} is reached through {module.__name__}: only what may be imported may be used."
    return ""


def _imported(tree: ast.Module) -> Iterator[tuple[str, object]]:
    """Every imported name that the program gives no other meaning."""
    bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                root = alias.name.split(".")[0]
                name = alias.asname or root
                if name not in bound:
                    yield name, _module(alias.name if alias.asname else root)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                name = alias.asname or alias.name
                if name not in bound:
                    yield name, getattr(_module(node.module or ""), alias.name, None)


def _module(name: str) -> ModuleType | None:
    """A module of the standard library that programs may import; of nothing else is anything loaded here."""
    return importlib.import_module(name) if name in ALLOWED_MODULES else None


def _root(node: ast.AST) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
