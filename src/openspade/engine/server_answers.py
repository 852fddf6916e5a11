"""What a server's answer says, whatever form it comes in: pure, so that every oddity is a test of one line.

Servers that call themselves OpenAI-compatible differ: content as null, as a text or as a list of parts, reasoning in a
field of its own, calls instead of content, errors inside a 200, streams that break off.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from openspade.tokens import Completion

QUOTED = 300
REFUSED = re.compile(
    r"unsupported|not supported|unrecogni[sz]ed|unknown|unexpected|not permitted|extra (?:inputs|fields)|"
    r"does not support|not allowed|only the default|invalid (?:parameter|argument|field)",
    re.IGNORECASE,
)
OPTIONAL = ("max_completion_tokens", "max_tokens", "temperature", "top_p", "top_k", "seed", "stream")
"""Parameters that can be left out, or renamed: an answer differs a little without them, and there is one."""


class NoAnswer(Exception):
    """The server answered, and what it said is no completion; the text quotes it. `again` says whether to ask again."""

    def __init__(self, said: str, *, again: bool) -> None:
        super().__init__(said)
        self.again = again


@dataclass(frozen=True, kw_only=True, slots=True)
class Heard:
    """A whole answer as it came: its status, its body, and how long the server wants to be left alone."""

    status: int
    body: str
    retry_after_s: float = 0.0


def read_answer(heard: Heard) -> Completion:
    """The completion in a body. Raises NoAnswer."""
    if heard.status >= 400:
        raise NoAnswer(f"{heard.status}: {_quoted(heard.body)}", again=_is_passing(heard.status))
    try:
        body = json.loads(heard.body)
    except (ValueError, RecursionError):
        raise NoAnswer(f"no JSON: {_quoted(heard.body)}", again=True) from None
    if isinstance(body, dict) and body.get("error") and not body.get("choices"):
        code = body["error"].get("code") if isinstance(body["error"], dict) else None
        passing = not isinstance(code, int) or _is_passing(code)
        raise NoAnswer(f"an error: {_quoted(json.dumps(body['error'], ensure_ascii=False))}", again=passing)
    choices = body.get("choices") if isinstance(body, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(first, dict):
        raise NoAnswer(f"no choice: {_quoted(heard.body)}", again=True)
    message = first.get("message")
    if not isinstance(message, dict):
        message = {"content": first.get("text")}
    stop = "length" if first.get("finish_reason") in ("length", "max_tokens") else "stop"
    return Completion(ids=(), logprobs=(), text=text_of(message), stop=stop)


def read_events(lines: Iterable[str]) -> str:
    """A stream of server-sent events as the one body that a server without streaming would have sent.

    Raises NoAnswer where the stream broke off before its end.
    """
    content: list[str] = []
    calls: dict[int, dict[str, str]] = {}
    finish: str | None = None
    for line in lines:
        said = line.removeprefix("data:").strip() if line.startswith("data:") else ""
        if said == "[DONE]":
            finish = finish or "stop"
            break
        event = _loaded(said)
        if event.get("error"):
            return json.dumps({"error": event["error"]})
        for choice in _listed(event.get("choices")):
            delta = choice.get("delta") if isinstance(choice, dict) else None
            if isinstance(delta, dict):
                content.append(_content(delta.get("content")))
                _add_calls(calls, delta.get("tool_calls"))
            finish = choice.get("finish_reason") or finish if isinstance(choice, dict) else finish
    if finish is None:
        raise NoAnswer(f"a stream that broke off after {sum(map(len, content))} characters", again=True)
    message = {"content": "".join(content), "tool_calls": [{"function": call} for _, call in sorted(calls.items())]}
    return json.dumps({"choices": [{"message": message, "finish_reason": finish}]})


def text_of(message: Mapping[str, Any]) -> str:
    """The reply as a model writes it: calls that the server has parsed become markup again, for one reader of all."""
    parts = [_content(message.get("content"))]
    calls = [call.get("function") for call in _listed(message.get("tool_calls")) if isinstance(call, dict)]
    for function in [*calls, message.get("function_call")]:
        if isinstance(function, dict) and function.get("name"):
            given = function.get("arguments") or "{}"
            arguments = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
            name = json.dumps(str(function["name"]))
            parts.append(f'<tool_call>\n{{"name": {name}, "arguments": {arguments}}}\n</tool_call>')
    return "\n".join(part for part in parts if part)


def unsupported(heard: Heard, sent: Sequence[str]) -> str:
    """Which of the parameters that were sent the server names as one it does not take; "" for none."""
    if heard.status not in (400, 404, 415, 422, 501) or not REFUSED.search(heard.body):
        return ""
    return next((name for name in OPTIONAL if name in sent and re.search(rf"\b{name}\b", heard.body)), "")


def retry_after_s(header: str | None, now: datetime | None = None) -> float:
    """Seconds that a `Retry-After` header asks for: a number, or a date (RFC 9110, 10.2.3); 0 for anything else."""
    if not header:
        return 0.0
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        at = parsedate_to_datetime(header)
    except (ValueError, TypeError):
        return 0.0
    return max(0.0, (at - (now or datetime.now(UTC))).total_seconds()) if at.tzinfo else 0.0


def _is_passing(status: int) -> bool:
    """Whether the same request may get an answer later."""
    return status >= 500 or status in (408, 409, 425, 429)


def _content(content: object) -> str:
    """Text, null, or a list of parts of which texts are kept."""
    if isinstance(content, list):
        return "".join(_content(part.get("text") if isinstance(part, dict) else part) for part in content)
    return content if isinstance(content, str) else ""


def _add_calls(calls: dict[int, dict[str, str]], deltas: object) -> None:
    for delta in _listed(deltas):
        function = delta.get("function") if isinstance(delta, dict) else None
        if isinstance(function, dict):
            index = delta.get("index")
            call = calls.setdefault(index if type(index) is int else len(calls), {"name": "", "arguments": ""})
            for key in call:
                call[key] += str(function.get(key) or "")


def _listed(value: object) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def _loaded(said: str) -> dict[str, Any]:
    try:
        event = json.loads(said) if said else {}
    except (ValueError, RecursionError):
        return {}
    return event if isinstance(event, dict) else {}


def _quoted(text: str) -> str:
    return " ".join(text.split())[:QUOTED] or "nothing"
