"""Values inside of tool calls, as JSON and as Python write them; what is nested too deep is refused."""

from __future__ import annotations

import ast
import json
import re
import warnings

from openspade.tokens import JSON

MAX_DEPTH = 50
MAX_PYTHON_CHARS = 50_000

_PYTHON_SIGN = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|[()\[\]{}]", re.DOTALL)


def _refuse_constant(name: str) -> JSON:
    raise ValueError(f"{name} is no JSON number")


_DECODER = json.JSONDecoder(strict=False, parse_constant=_refuse_constant)


def decode(text: str, start: int) -> tuple[JSON, int]:
    """The JSON value that begins there and where it ends; ValueError where there is none."""
    try:
        return _DECODER.raw_decode(text, start)
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error


def literal(node: ast.expr) -> JSON:
    """A written value; JSON's words are taken beside Python's."""
    words: dict[str, JSON] = {"true": True, "false": False, "null": None}
    match node:
        case ast.Constant(value=bool() | int() | float() | str() | None as value):
            return value
        case ast.Name(id=word) if word in words:
            return words[word]
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [literal(item) for item in items]
        case ast.Dict(keys=keys, values=values):
            return {str(literal(key)): literal(value) for key, value in zip(keys, values, strict=True) if key}
    raise ValueError("arguments must be plain values")


def tree_of(source: str) -> ast.Module | None:
    """The syntax tree of a short and shallow text, None where there is none."""
    depth = 0
    if len(source) > MAX_PYTHON_CHARS:
        return None
    for sign in _PYTHON_SIGN.finditer(source):
        depth += (sign[0] in "([{") - (sign[0] in ")]}")
        if depth > MAX_DEPTH:
            return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
