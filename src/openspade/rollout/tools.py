"""Reads an action out of a reply: the boxed move of a game, the tool calls of a task in any of the common forms.

The forms of calls are rows of `engine/chat/call_forms.py`; all of them are read, whatever model writes.
A call that cannot be executed as written comes back with its problem; it is the environment's answer to that call.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from openspade.engine.chat.call_forms import next_call, read_call, without_wrappers
from openspade.engine.chat.call_literals import decode
from openspade.engine.chat.call_readers import Part, json_calls, written_calls
from openspade.openspade_env import argument_problem
from openspade.roles.thoughts import after_thought
from openspade.tokens import JSON
from openspade.types import Action, Kind, ToolCall

MAX_CALLS = 64
Schema = Mapping[str, JSON]

_FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*)\n```", re.DOTALL)


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


def _scan(text: str) -> tuple[str, list[Part]]:
    """The words of a reply and the parts of it that are calls."""
    if bare := _bare(text):
        return "", [bare]
    parts: list[Part] = []
    words: list[str] = []
    position = 0
    while len(parts) < MAX_CALLS and (found := next_call(text, position)):
        marker, form = found
        words.append(text[position : marker.start()])
        part = read_call(text, marker.end(), form)
        parts.append(replace(part, calls=[_told(call, form.example) for call in part.calls]))
        position = parts[-1].end
    words.append(text[position:])
    if not parts and (last := _last_fence(text)):
        words, parts = [text[: last[0]]], [last[1]]
    return " ".join(filter(None, map(without_wrappers, words))), parts


def _told(call: ToolCall, example: str) -> ToolCall:
    return replace(call, problem=f"{call.problem}; write {example}") if call.problem else call


def _bare(text: str) -> Part | None:
    """Llama's form, and what small models write: the reply is nothing but calls, as JSON or as a list in Python."""
    stripped = text.strip()
    fenced = _FENCED.fullmatch(stripped)
    stripped = fenced[1].strip() if fenced else stripped
    if stripped[:1] not in ("{", "["):
        return None
    if stripped[0] == "[" and stripped[-1] == "]" and (written := written_calls(stripped)):
        return Part(calls=written, end=len(text))
    part = json_calls(stripped, 0, "")
    return part if part.end >= len(stripped) and all(call.name for call in part.calls) else None


def _last_fence(text: str) -> tuple[int, Part] | None:
    """Calls in a block of JSON that ends the reply, and where it begins."""
    stripped = text.rstrip()
    opened = stripped.rfind("```json\n", 0, -3)
    if opened < 0 or not stripped.endswith("```"):
        return None
    part = json_calls(stripped, opened, "```")
    called = all(call.name and not call.problem for call in part.calls)
    return (opened, part) if called and stripped[part.end :].strip() == "```" else None


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
        decoded, end = decode(word, 0)
    except ValueError:
        return value
    return decoded if end == len(word) else value
