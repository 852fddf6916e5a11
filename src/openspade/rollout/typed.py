"""What a person types while playing, as an action: words for a game, calls for a tool task."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping, Sequence

from openspade.tokens import JSON
from openspade.types import Action, Kind, ToolCall

Tools = Sequence[Mapping[str, JSON]]


def read_action(text: str, kind: Kind) -> Action:
    """The action in a typed line; in a tool task a line that reads as calls is calls, any other is words."""
    if kind == "game":
        return Action(text=text)
    calls = _read_calls(text)
    return Action(text="" if calls else text, calls=calls)


def signature(tool: Mapping[str, JSON]) -> str:
    """A tool as a person would call it: `name(argument: type, optional: type = ...)  what it does`."""
    function = tool.get("function")
    if not isinstance(function, Mapping):
        return json.dumps(tool)
    parameters = function.get("parameters")
    schema = parameters if isinstance(parameters, Mapping) else {}
    properties, required = schema.get("properties"), schema.get("required")
    named = properties if isinstance(properties, Mapping) else {}
    needed = required if isinstance(required, list) else []
    arguments = [
        f"{name}: {_type_name(value)}" + ("" if name in needed else " = ...")
        for name, value in sorted(named.items(), key=_order(needed))
    ]
    return f"{function.get('name')}({', '.join(arguments)})  {function.get('description', '')}"


def _read_calls(text: str) -> tuple[ToolCall, ...]:
    try:
        body = ast.parse(text.strip(), mode="exec").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    calls = [
        statement.value
        for statement in body
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
    ]
    named = [call for call in calls if isinstance(call.func, ast.Name)]
    return tuple(_read_call(call) for call in named) if len(named) == len(body) else ()


def _read_call(call: ast.Call) -> ToolCall:
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    if call.args or any(keyword.arg is None for keyword in call.keywords):
        return ToolCall(name=name, arguments={}, problem="name every argument: tool(name=value)")
    try:
        arguments = {str(keyword.arg): _literal(keyword.value) for keyword in call.keywords}
    except (ValueError, TypeError, RecursionError):
        return ToolCall(name=name, arguments={}, problem='arguments must be values: 3, "text", true, [1, 2]')
    return ToolCall(name=name, arguments=arguments)


def _literal(node: ast.expr) -> JSON:
    words: Mapping[str, JSON] = {"true": True, "false": False, "null": None}
    if isinstance(node, ast.Name) and node.id in words:
        return words[node.id]
    return json.loads(json.dumps(ast.literal_eval(node), allow_nan=False))


def _type_name(schema: JSON) -> str:
    return str(schema.get("type", "any")) if isinstance(schema, Mapping) else "any"


def _order(needed: Sequence[JSON]):
    return lambda item: (item[0] not in needed, needed.index(item[0]) if item[0] in needed else 0)
