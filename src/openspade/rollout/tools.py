"""Reads an action out of a reply: the boxed move of a game, the tool calls of a task in any of the common formats.

JSON is read by a JSON parser from where a format's marker ends, so braces and closing tags inside strings are text.
A call that cannot be executed as written comes back with its problem; it is the environment's answer to that call.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from openspade.openspade_env import argument_problem
from openspade.roles.source import after_thought
from openspade.tokens import JSON
from openspade.types import Action, Kind, ToolCall

MAX_CALLS = 64
Schema = Mapping[str, JSON]

_MARKER = re.compile(r"<tool_call>|<function=|\[TOOL_CALLS\]|<\|python_tag\|>")
_NAMED_ARGUMENTS = re.compile(r"([\w.-]+)\s*(?:\[ARGS\])?\s*(?=\{)")
_FUNCTION = re.compile(r"<function=([^>\s]*)>")
_FUNCTION_END = re.compile(r"</function>(?=\s*(?:</tool_call>|<tool_call>|<function=|\Z))")
_PARAMETER = re.compile(r"<parameter=([^>\n]*)>")
_PARAMETER_END = re.compile(r"</parameter>(?=\s*(?:<parameter=|\Z))")
_FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*)\n```", re.DOTALL)
_BLANK = re.compile(r"\s*")
_BETWEEN = re.compile(r"[\s;,]*")


def read_action(reply: str, kind: Kind, tools: Sequence[Schema] = ()) -> Action:
    """What a reply does: a game's move, or a task's calls and the words beside them."""
    if kind == "game":
        return Action(text=boxed(reply))
    words, parts = _scan(after_thought(reply))
    schemas = {_name_of(schema): schema for schema in tools}
    calls = [_checked(call, schemas, raw=part.raw) for part in parts for call in part.calls]
    return Action(text=words, calls=tuple(calls[:MAX_CALLS]))


def parse_calls(reply: str, tools: Sequence[Schema] = ()) -> tuple[ToolCall, ...]:
    """Every tool call of a reply, in order, checked against the tools' schemas (unchecked when none are given)."""
    return read_action(reply, "tool", tools).calls


def boxed(reply: str) -> str:
    r"""Inside of the last complete `\boxed{...}`, or the whole reply; a thought before it does not count."""
    spoken = after_thought(reply)
    last = (-1, -1)
    opened: list[tuple[bool, int]] = []
    for token in re.finditer(r"(\\boxed\s*)?\{|\\.|\}", spoken, re.DOTALL):
        if token[0].endswith("{") and token[0] != r"\{":
            opened.append((bool(token[1]), token.end()))
        elif token[0] == "}" and opened:
            is_box, start = opened.pop()
            last = max(last, (start, token.start())) if is_box else last
    if last == (-1, -1):
        return spoken.strip()
    inner = spoken[last[0] : last[1]].strip()
    wrapped = re.fullmatch(r"\\text\s*\{([^{}]*)\}", inner)
    return wrapped[1].strip() if wrapped else inner


# --- finding calls ------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class _Part:
    """Calls read from one marker, and where reading goes on. `raw` arguments are text that the schema must type."""

    calls: list[ToolCall]
    end: int
    raw: bool = False


def _scan(text: str) -> tuple[str, list[_Part]]:
    """The words of a reply and the parts of it that are calls."""
    if bare := _bare(text):
        return "", [bare]
    parts: list[_Part] = []
    words: list[str] = []
    position = 0
    while len(parts) < MAX_CALLS and (marker := _MARKER.search(text, position)):
        words.append(text[position : marker.start()].strip())
        parts.append(_part_at(text, marker))
        position = parts[-1].end
    words.append(text[position:].strip())
    return " ".join(filter(None, words)), parts


def _part_at(text: str, marker: re.Match[str]) -> _Part:
    if marker[0] == "<function=":
        return _function(text, marker.start())
    start = _skip(_BLANK, text, marker.end())
    if marker[0] == "<tool_call>":
        part = _function(text, start) if text.startswith("<function=", start) else _json(text, start, "</tool_call>")
        end = _skip(_BLANK, text, part.end)
        return replace(part, end=end + len("</tool_call>")) if text.startswith("</tool_call>", end) else part
    named = _NAMED_ARGUMENTS.match(text, start)
    if marker[0] == "[TOOL_CALLS]" and named:
        return _named(text, named)
    return _json(text, start, "")


def _json(text: str, start: int, closing: str) -> _Part:
    """JSON calls one after another, separated by nothing or `;`."""
    calls: list[ToolCall] = []
    position = start
    while position < len(text) and text[position] in "{[":
        try:
            value, end = _decode(text, position)
        except ValueError as error:
            calls.append(ToolCall(name="", arguments={}, problem=f"the call is not valid JSON: {error}"))
            return _Part(calls=calls, end=_after(text, position, closing))
        calls += _calls_in(value)
        position = _skip(_BETWEEN, text, end)
        if text[end:position].strip() not in ("", ";", ","):
            break
    if not calls:
        calls.append(ToolCall(name="", arguments={}, problem='a call is JSON: {"name": ..., "arguments": {...}}'))
        position = _after(text, start, closing)
    return _Part(calls=calls, end=position)


def _named(text: str, named: re.Match[str]) -> _Part:
    """Mistral's newer form: the name, then a JSON object of arguments."""
    try:
        value, end = _decode(text, named.end())
    except ValueError as error:
        problem = f"the arguments are not valid JSON: {error}"
        return _Part(calls=[ToolCall(name=named[1], arguments={}, problem=problem)], end=len(text))
    return _Part(calls=[_call(named[1], value)], end=end)


def _function(text: str, start: int) -> _Part:
    """Qwen3-Coder's tags. A closing tag counts only where the next tag may stand, else it belongs to the value."""
    opened = _FUNCTION.match(text, start)
    if not opened:
        return _Part(calls=[ToolCall(name="", arguments={}, problem="the call has no name")], end=len(text))
    closed = _FUNCTION_END.search(text, opened.end())
    body = text[opened.end() : closed.start() if closed else len(text)]
    arguments: dict[str, JSON] = {}
    position = 0
    while parameter := _PARAMETER.search(body, position):
        ended = _PARAMETER_END.search(body, parameter.end())
        value = body[parameter.end() : ended.start() if ended else len(body)]
        arguments[parameter[1].strip()] = value.removeprefix("\n").removesuffix("\n")
        position = ended.end() if ended else len(body)
    return _Part(
        calls=[ToolCall(name=opened[1], arguments=arguments)], end=closed.end() if closed else len(text), raw=True
    )


def _bare(text: str) -> _Part | None:
    """Llama's form, and what small models write: the reply is nothing but JSON calls."""
    stripped = text.strip()
    fenced = _FENCED.fullmatch(stripped)
    stripped = fenced[1].strip() if fenced else stripped
    if stripped[:1] not in ("{", "["):
        return None
    part = _json(stripped, 0, "")
    return part if part.end >= len(stripped) and all(call.name for call in part.calls) else None


def _calls_in(value: JSON) -> Iterator[ToolCall]:
    for item in value if isinstance(value, list) else [value]:
        if not isinstance(item, dict) or not isinstance(item.get("name"), str):
            yield ToolCall(name="", arguments={}, problem='a call is JSON: {"name": ..., "arguments": {...}}')
            continue
        given = [item[key] for key in ("arguments", "parameters") if key in item]
        yield _call(str(item["name"]), given[0] if given else {})


def _call(name: str, arguments: JSON) -> ToolCall:
    if isinstance(arguments, str):  # some APIs put the arguments' JSON into a string
        try:
            arguments, _ = _decode(arguments, 0)
        except ValueError as error:
            return ToolCall(name=name, arguments={}, problem=f"the arguments are not valid JSON: {error}")
    if not isinstance(arguments, dict):
        return ToolCall(name=name, arguments={}, problem=f"{name}: arguments must be a JSON object")
    return ToolCall(name=name, arguments=arguments)


def _refuse_constant(name: str) -> JSON:
    raise ValueError(f"{name} is no JSON number")


_DECODER = json.JSONDecoder(strict=False, parse_constant=_refuse_constant)


def _decode(text: str, start: int) -> tuple[JSON, int]:
    try:
        return _DECODER.raw_decode(text, start)
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error


def _skip(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return match.end() if match else position


def _after(text: str, start: int, closing: str) -> int:
    found = text.find(closing, start) if closing else -1
    return found if found >= 0 else len(text)


# --- checking calls -----------------------------------------------------------------------------


def _checked(call: ToolCall, schemas: Mapping[str, Schema], *, raw: bool) -> ToolCall:
    if call.problem or not schemas:
        return call
    if call.name not in schemas:
        return replace(call, problem=f"there is no tool {call.name!r}; there are {', '.join(schemas)}")
    schema = schemas[call.name]
    arguments = _typed(call.arguments, schema) if raw else dict(call.arguments)
    return replace(call, arguments=arguments, problem=argument_problem(arguments, schema))


def _name_of(schema: Schema) -> str:
    function = schema["function"]
    return str(function["name"]) if isinstance(function, dict) else ""


def _typed(arguments: Mapping[str, JSON], schema: Schema) -> dict[str, JSON]:
    function = schema["function"]
    parameters = function.get("parameters") if isinstance(function, dict) else None
    properties = parameters.get("properties") if isinstance(parameters, dict) else None
    kinds = properties if isinstance(properties, dict) else {}
    return {name: _value(value, kinds.get(name)) for name, value in arguments.items()}


def _value(value: JSON, schema: JSON) -> JSON:
    kind = schema.get("type") if isinstance(schema, dict) else None
    nullable = isinstance(schema, dict) and schema.get("nullable") is True
    if not isinstance(value, str) or (kind == "string" and not (nullable and value.strip() in ("null", "None"))):
        return value
    # The template prints Python's words for these.
    word = {"True": "true", "False": "false", "None": "null"}.get(value.strip(), value.strip())
    try:
        decoded, end = _decode(word, 0)
    except ValueError:
        return value
    return decoded if end == len(word) else value
