"""gpt-oss writes a reply in parts, each with a channel: thoughts in `analysis`, words in `final`, calls to somebody."""

from __future__ import annotations

import re
from dataclasses import dataclass

from openspade.engine.chat.call_literals import decode
from openspade.tokens import JSON

_PART = re.compile(
    r"(?:<\|start\|>assistant)?(?P<before>\s{1,9}to=[\w.]{1,200})?<\|channel\|>(?P<channel>\w{1,20})"
    r"(?P<after>[^<>]{0,200}(?:<\|constrain\|>[^<>]{0,40})?)<\|message\|>"
)
_END = re.compile(
    r"<\|(?:end|return|call)\|>|(?:<\|start\|>assistant[^<>]{0,200})?(?=<\|channel\|>\w{1,20}[^<>]{0,200}<\|)"
)
_RECIPIENT = re.compile(r"to=(?:functions\.)?([\w.]{1,200})")


@dataclass(frozen=True, kw_only=True, slots=True)
class Spoken:
    """One part of a reply: its channel, whom it calls ("" for nobody), its text and all of it as it was written."""

    channel: str
    recipient: str
    text: str
    written: str


def parts_of(reply: str) -> list[Spoken]:
    """The parts of a reply that begins with one; none where it does not."""
    parts: list[Spoken] = []
    if not _PART.match(reply.lstrip()):
        return parts
    position = 0
    while part := _PART.search(reply, position):
        ended = _END.search(reply, part.end())
        stop, position = (ended.start(), ended.end()) if ended else (len(reply), len(reply))
        called = _RECIPIENT.search(part["before"] or part["after"])
        parts.append(
            Spoken(
                channel=part["channel"],
                recipient=called[1] if called else "",
                text=reply[part.end() : stop],
                written=reply[part.start() if part["before"] else part.start("channel") - len("<|channel|>") : stop],
            )
        )
    return parts


def as_fields(reply: str) -> dict[str, JSON]:
    """A reply as the fields that such a template renders: `content` and `thinking`, or a call."""
    parts = parts_of(reply)
    if not parts:
        return {"content": reply}
    thinking = "".join(part.text for part in parts if part.channel == "analysis" and not part.recipient)
    said = "\n".join(part.text for part in parts if part.channel != "analysis" and not part.recipient)
    called = next((part for part in parts if part.recipient), None)
    if called is None:
        return {"content": said, "thinking": thinking}
    function: dict[str, JSON] = {"name": called.recipient, "arguments": _arguments(called.text)}
    return {"content": "", "thinking": thinking, "tool_calls": [{"type": "function", "function": function}]}


def _arguments(text: str) -> JSON:
    try:
        value, _ = decode(text, 0)
    except ValueError:
        return text
    return value
