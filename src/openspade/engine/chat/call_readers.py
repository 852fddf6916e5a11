"""Readers of tool calls: each reads the calls that stand after a form's marker, and says where reading goes on.

JSON is read by a JSON parser from where the marker ends, so braces and closing tags inside strings are text. Every
reader takes time in proportion to the text, and what is nested too deep is a problem, not an exception.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from openspade.engine.chat.call_literals import decode, literal, tree_of
from openspade.tokens import JSON
from openspade.types import ToolCall

NOT_JSON = "the call is not valid JSON"
IS_JSON = 'a call is JSON: {"name": ..., "arguments": {...}}'

_BLANK = re.compile(r"\s*")
_BETWEEN = re.compile(r"[\s;,]*")
_FENCE = re.compile(r"\s*```(?:json)?[ \t]*\n?")
NAME = re.compile(r"\s*(?:functions?\.)?([\w.-]{1,200})")
_LOOSE = re.compile(
    r"<\|\"\|>(.*?)<\|\"\|>|<escape>(.*?)<escape>|\"((?:[^\"\\]|\\.)*)\"|([{}\[\],:])|([^{}\[\],:<\"]+)|.", re.DOTALL
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """Calls read from one marker, and where reading goes on. `raw` arguments are text that the schema must type."""

    calls: list[ToolCall]
    end: int
    raw: bool = False


Reader = Callable[[str, int, str], Part]
"""Text, where the marker ends, and the mark that closes the call ("" for none)."""


def broken(problem: str, end: int, *, name: str = "") -> Part:
    return Part(calls=[ToolCall(name=name, arguments={}, problem=problem)], end=end)


def after(text: str, start: int, closing: str) -> int:
    """Where a closing mark stands, or the end of the text."""
    found = text.find(closing, start) if closing else -1
    return found if found >= 0 else len(text)


def skip_blank(text: str, position: int) -> int:
    match = _BLANK.match(text, position)
    return match.end() if match else position


# --- JSON -----------------------------------------------------------------------------------------


def json_calls(text: str, start: int, closing: str) -> Part:
    """JSON calls one after another, separated by nothing, `,` or `;`; Python's quotes are taken too."""
    calls: list[ToolCall] = []
    position = _into_fence(text, skip_blank(text, start))
    while position < len(text) and text[position] in "{[":
        try:
            value, end = decode(text, position)
        except ValueError as error:
            end = after(text, position, closing)
            quoted = _quoted(text[position:end])
            return Part(calls=[*calls, *(quoted or broken(f"{NOT_JSON}: {error}", end).calls)], end=end)
        calls += calls_in(value)
        position = skip(_BETWEEN, text, end)
        if text[end:position].strip() not in ("", ";", ","):
            break
    if calls:
        return Part(calls=calls, end=position)
    return broken(IS_JSON, after(text, start, closing))


def keyed_calls(text: str, start: int, closing: str) -> Part:
    """A JSON list of objects, each with a tool's name as its one key."""
    end = after(text, start, closing)
    try:
        value, end = decode(text, skip_blank(text, start))
    except ValueError as error:
        return broken(f"{NOT_JSON}: {error}", end)
    items = value if isinstance(value, list) else [value]
    calls: list[ToolCall] = []
    for item in items:
        is_keyed = isinstance(item, dict) and len(item) == 1 and "name" not in item
        calls += [call_of(*next(iter(item.items())))] if is_keyed and isinstance(item, dict) else calls_in(item)
    return Part(calls=calls, end=end)


def named_json(text: str, start: int, closing: str) -> Part:
    """A name, marks or a fence, then a JSON object of arguments (Mistral, DeepSeek, Kimi, gpt-oss)."""
    named = NAME.match(text, start)
    if not named:
        return json_calls(text, start, closing)
    end = after(text, named.end(), closing)
    opened = text.find("{", named.end(), end)
    between = text[named.end() : opened if opened >= 0 else end]
    if named[1] == "function" and (real := re.match(r"<\uff5ctool\u2581sep\uff5c>([\w.-]{1,200})", between)):
        name = real[1]
    else:
        name = re.sub(r":\d+$", "", named[1] + (re.match(r"(?::\d+)?", between) or [""])[0])
    if opened < 0 or len(between) > 300:
        return broken("the call has no JSON object of arguments", end, name=name)
    try:
        value, after_value = decode(text, opened)
    except ValueError as error:
        return broken(f"the arguments are not valid JSON: {error}", end, name=name)
    tail = skip(re.compile(r"\s*```"), text, after_value)
    return Part(calls=[call_of(name, value)], end=tail)


def calls_in(value: JSON) -> Iterator[ToolCall]:
    """The calls of a decoded value, whatever of the common keys it uses."""
    for item in value if isinstance(value, list) else [value]:
        several = item.get("tool_calls") if isinstance(item, dict) else None
        if isinstance(several, list):
            yield from (_one(each) for each in several)
        else:
            yield _one(item)


def _one(item: JSON) -> ToolCall:
    inner = item["function"] if isinstance(item, dict) and "function" in item and "name" not in item else item
    inner = {**item, "name": inner} if isinstance(inner, str) and isinstance(item, dict) else inner
    if not isinstance(inner, dict) or not isinstance(inner.get("name", inner.get("tool_name")), str):
        return ToolCall(name="", arguments={}, problem=IS_JSON)
    given = [inner[key] for key in ("arguments", "parameters", "args") if key in inner]
    return call_of(str(inner.get("name", inner.get("tool_name"))), given[0] if given else {})


def call_of(name: str, arguments: JSON) -> ToolCall:
    if isinstance(arguments, str):  # some APIs put the arguments' JSON into a string
        try:
            arguments, _ = decode(arguments, 0)
        except ValueError as error:
            return ToolCall(name=name, arguments={}, problem=f"the arguments are not valid JSON: {error}")
    if not isinstance(arguments, dict):
        return ToolCall(name=name, arguments={}, problem=f"{name}: arguments must be a JSON object")
    return ToolCall(name=name, arguments=arguments)


def _into_fence(text: str, position: int) -> int:
    return skip(_FENCE, text, position) if text.startswith("```", position) else position


def skip(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return match.end() if match else position


# --- Python and its like --------------------------------------------------------------------------


def python_calls(text: str, start: int, closing: str) -> Part:
    """Calls as Python writes them, in a list or one a line; JSON where JSON stands there instead."""
    position = skip_blank(text, start)
    end = after(text, position, closing)
    if re.compile(r"\{|\[\s*\{").match(text, position):
        return json_calls(text, position, closing)
    calls = written_calls(text[position:end])
    return Part(calls=calls, end=end) if calls else broken("a call is Python: [name(key=value)]", end)


def written_calls(source: str) -> list[ToolCall]:
    """The calls of a Python expression or of its lines; none where it is anything else."""
    tree = tree_of(source.strip())
    if tree is None:
        return []
    values = [line.value for line in tree.body if isinstance(line, ast.Expr)]
    if len(values) != len(tree.body):
        return []
    nodes = [each for value in values for each in (value.elts if isinstance(value, ast.List | ast.Tuple) else [value])]
    calls = [_written(node) for node in nodes]
    return [call for call in calls if call] if all(calls) else []


def _written(node: ast.expr) -> ToolCall | None:
    if not isinstance(node, ast.Call):
        return None
    parts = ast.unparse(node.func).removesuffix(".call").rpartition(".")
    name = parts[2]
    if not name.isidentifier():
        return None
    if name == "print" and len(node.args) == 1:
        return _written(node.args[0])
    try:
        arguments = {word.arg or "": literal(word.value) for word in node.keywords}
    except ValueError as error:
        return ToolCall(name=name, arguments={}, problem=f"{name}: {error}")
    problem = f"{name}: every argument needs its name: key=value" if node.args or "" in arguments else ""
    return ToolCall(name=name, arguments={} if problem else arguments, problem=problem)


def _quoted(source: str) -> list[ToolCall]:
    """Calls whose objects have Python's quotes."""
    tree = tree_of(source.strip())
    if tree is None or len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr):
        return []
    try:
        return list(calls_in(literal(tree.body[0].value)))
    except ValueError:
        return []


def loose_call(text: str, start: int, closing: str) -> Part:
    """Gemma's `call:NAME{key:<|"|>text<|"|>}`: keys are bare, texts stand between marks of their own."""
    end = after(text, start, closing)
    named = re.compile(r"\s*(?:call:)?([\w.-]{1,200})\s*(?=\{)").match(text, start, end)
    if not named:
        return broken("the call has no name", end)
    signs = [_sign(found) for found in _LOOSE.finditer(text, named.end(), end)]
    keyed = [
        json.dumps(sign[1]) if sign[0] == "bare" and index + 1 < len(signs) and signs[index + 1][1] == ":" else sign[2]
        for index, sign in enumerate(signs)
    ]
    try:
        value, _ = decode("".join(keyed), 0)
    except ValueError as error:
        return broken(f"the arguments cannot be read: {error}", end, name=named[1])
    return Part(calls=[call_of(named[1], value)], end=end)


def _sign(found: re.Match[str]) -> tuple[str, str, str]:
    """Kind, text and JSON of one sign of a loose call."""
    said = next((found[group] for group in (1, 2) if found[group] is not None), None)
    if said is not None:
        return "text", said, json.dumps(said)
    bare = (found[5] or "").strip()
    if not bare:
        return "mark", found[0], found[0]
    try:
        _, end = decode(bare, 0)
    except ValueError:
        end = -1
    return "bare", bare, bare if end == len(bare) else json.dumps(bare)
