"""Reads a move, or tool calls, out of a chat model's reply. Standard library only."""

from __future__ import annotations

import json
import re
from typing import Any

_CALL = re.compile(r"<tool_call>\s*(.*?)\s*</tool_call>", re.DOTALL)


def spoken(reply: str) -> str:
    """The reply without the thought it begins with."""
    if reply.lstrip().startswith("<think>") or "</think>" in reply:
        return reply.partition("</think>")[2]
    return reply


def boxed(reply: str) -> str:
    r"""Inside of the last complete `\boxed{...}`, or the whole reply.

    >>> boxed(r"So \boxed{3}, no: \boxed{4}"), boxed("4")
    ('4', '4')
    """
    said = spoken(reply)
    last = (-1, -1)
    opened: list[tuple[bool, int]] = []
    for token in re.finditer(r"(\\boxed\s*)?\{|\\.|\}", said, re.DOTALL):
        if token[0].endswith("{") and token[0] != r"\{":
            opened.append((bool(token[1]), token.end()))
        elif token[0] == "}" and opened:
            is_box, start = opened.pop()
            last = max(last, (start, token.start())) if is_box else last
    if last == (-1, -1):
        return said.strip()
    inner = said[last[0] : last[1]].strip()
    wrapped = re.fullmatch(r"\\text\s*\{([^{}]*)\}", inner)
    return wrapped[1].strip() if wrapped else inner


def called(name: str, arguments: Any) -> dict[str, Any]:
    """A call as an environment takes it; `arguments` is a JSON text or an object."""
    try:
        read = json.loads(arguments or "{}") if isinstance(arguments, str) else arguments
    except ValueError as error:
        return {"name": name, "arguments": {}, "problem": f"the arguments are not valid JSON: {error}"}
    if not isinstance(read, dict):
        return {"name": name, "arguments": {}, "problem": "the arguments must be a JSON object"}
    return {"name": name, "arguments": read, "problem": ""}


def written_calls(reply: str) -> dict[str, Any]:
    """The action in a reply that writes its calls as `<tool_call>{"name": ..., "arguments": {...}}</tool_call>`."""
    said = spoken(reply)
    calls = []
    for text in _CALL.findall(said):
        try:
            read = json.loads(text)
        except ValueError as error:
            calls.append({"name": "", "arguments": {}, "problem": f"the call is not valid JSON: {error}"})
            continue
        calls.append(
            called(str(read.get("name", "")), read.get("arguments", {})) if isinstance(read, dict) else called("", read)
        )
    return {"text": _CALL.sub("", said).strip(), "calls": calls}
