"""How a fault is planted into a program: a function from source to source, None where nothing holds it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence

Fault = Callable[[str], str | None]


def method_of(tree: ast.Module, name: str) -> ast.FunctionDef | None:
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.bases]
    methods = [node for node in classes[-1].body if isinstance(node, ast.FunctionDef) and node.name == name]
    return methods[0] if methods else None


def head(method: str, lines: str, *, imports: str = "", turns: int = 0) -> Fault:
    """Statements before the first one of a method; `ACTION` is what `act` is told."""

    def plant(source: str) -> str | None:
        tree = ast.parse(source)
        function = method_of(tree, method)
        if function is None:
            return None
        words = function.args.args[1].arg if len(function.args.args) > 1 else ""
        body = ast.parse(lines.replace("ACTION", words).replace("RNG", words)).body
        at = 1 if isinstance(function.body[0], ast.Expr) and isinstance(function.body[0].value, ast.Constant) else 0
        function.body[at:at] = body
        return with_turns(imports + ast.unparse(tree) + "\n", turns)

    return plant


def with_turns(source: str, turns: int) -> str:
    if not turns:
        return source
    if "max_turns =" in source:
        return re.sub(r"max_turns = \d+", f"max_turns = {turns}", source)
    return re.sub(r"(\n    hint = )", rf"\n    max_turns = {turns}\1", source, count=1)


def around_returns(method: str, wrap: str, *, imports: str = "", turns: int = 0) -> Fault:
    """Every `return X` of a method becomes `return` of `wrap` with X in the place of VALUE."""

    def plant(source: str) -> str | None:
        tree = ast.parse(source)
        function = method_of(tree, method)
        if function is None:
            return None
        for node in ast.walk(function):
            if isinstance(node, ast.Return) and node.value is not None:
                node.value = ast.parse(wrap.replace("VALUE", f"({ast.unparse(node.value)})"), mode="eval").body
        return with_turns(imports + ast.unparse(tree) + "\n", turns)

    return plant


def text(pattern: str, new: str, count: int = 0) -> Fault:
    def plant(source: str) -> str | None:
        planted = re.sub(pattern, new, source, count=count)
        return planted if planted != source else None

    return plant


def wrong_reply(answer: str, *, imports: str = "", turns: int = 0) -> Fault:
    """What `act` says while the game goes on gets an ending; `MOVES` is the solution."""
    return around_returns("act", f"self.told(VALUE, {answer!r})", imports=imports, turns=turns)


def after(source_fault: Fault, method: str) -> Fault:
    """A method more in the class."""

    def plant(source: str) -> str | None:
        planted = source_fault(source)
        return None if planted is None else planted.rstrip("\n") + "\n\n" + method

    return plant


def criterion(change: Callable[[ast.expr], ast.expr | None], which: int = 0) -> Fault:
    """Another criterion for one request."""

    def plant(source: str) -> str | None:
        tree = ast.parse(source)
        lambdas = [
            keyword.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Call)
            for keyword in node.keywords
            if keyword.arg == "done" and isinstance(keyword.value, ast.Lambda)
        ]
        if len(lambdas) <= abs(which) - (which < 0):
            return None
        chosen = lambdas[which]
        body = change(chosen.body)
        if body is None:
            return None
        chosen.body = body
        return ast.unparse(tree) + "\n"

    return plant


def is_there(body: ast.expr) -> ast.expr | None:
    if isinstance(body, ast.Compare) and isinstance(body.ops[0], ast.Eq):
        return ast.parse(f"bool({ast.unparse(body.left)})", mode="eval").body
    return None


def as_many(body: ast.expr) -> ast.expr | None:
    if isinstance(body, ast.Compare) and isinstance(body.comparators[0], ast.List | ast.Dict):
        return ast.parse(f"len({ast.unparse(body.left)}) == len({ast.unparse(body.comparators[0])})", mode="eval").body
    return None


def constant(text: str) -> Callable[[ast.expr], ast.expr]:
    return lambda _body: ast.parse(text, mode="eval").body


def tools_of(tree: ast.Module) -> Sequence[ast.FunctionDef]:
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and any(ast.unparse(d) == "tool" for d in node.decorator_list)
    ]


def in_tool(which: int, lines: str, *, imports: str = "") -> Fault:
    """Statements before the first one of a tool; ARGS is the list of its arguments."""

    def plant(source: str) -> str | None:
        tree = ast.parse(source)
        tools = [one for one in tools_of(tree) if len(one.args.args) > 1]
        if not tools:
            return None
        one = tools[which]
        arguments = "[" + ", ".join(argument.arg for argument in one.args.args[1:]) + "]"
        one.body[1:1] = ast.parse(lines.replace("ARGS", arguments)).body
        return imports + ast.unparse(tree) + "\n"

    return plant


def tool_says(which: int, wrap: str) -> Fault:
    def plant(source: str) -> str | None:
        tree = ast.parse(source)
        tools = tools_of(tree)
        for node in ast.walk(tools[which]):
            if isinstance(node, ast.Return) and node.value is not None:
                node.value = ast.parse(wrap.replace("VALUE", f"({ast.unparse(node.value)})"), mode="eval").body
        tools[which].returns = None
        return ast.unparse(tree) + "\n"

    return plant


def more(method: str) -> Fault:
    return lambda source: source.rstrip("\n") + "\n\n" + method


def renamed_start(source: str, intro: str) -> str | None:
    """`start` also says something that the class works out."""
    if not re.search(r"\n    def start\(self, rng\):", source):
        return None
    inner = source.replace("    def start(self, rng):", "    def begin(self, rng):", 1)
    return (
        inner.rstrip("\n")
        + "\n\n    def start(self, rng):\n        said = self.begin(rng)\n"
        + f"        return (said + ' ' if said else '') + {intro}\n"
    )


def renamed_solution(source: str, plan: str) -> str | None:
    inner = source.replace("    def solution(self):", "    def parts(self):", 1)
    return inner.rstrip("\n") + f"\n\n    def solution(self):\n        parts = self.parts()\n        return {plan}\n"
