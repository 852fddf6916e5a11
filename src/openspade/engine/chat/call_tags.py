"""Readers of tool calls whose arguments stand in tags: text, which the tool's schema types."""

from __future__ import annotations

import re

from openspade.engine.chat.call_readers import NAME, Part, after, broken, json_calls, named_json, skip, skip_blank
from openspade.tokens import JSON
from openspade.types import ToolCall

_CLOSES_CALL = r"</(?:\w+:)?tool_calls?>"
_FUNCTION = re.compile(r"([^<>\s]{0,200})>")
_FUNCTION_END = re.compile(rf"</function>(?=\s*(?:{_CLOSES_CALL}|<tool_call>|<function=|\Z))")
_CALL_END = re.compile(rf"\s*(?:{_CLOSES_CALL}|\Z)")
_PARAMETER = re.compile(r"<parameter=([^<>\n]{1,200})>")
_PARAMETER_END = re.compile(r"</parameter>(?=\s*(?:<parameter=|</function>|\Z))")
_INVOKED = re.compile(r"([^\"<>\n]{0,200})\"[^<>]{0,200}>")
_INVOKE_END = re.compile(r"</(?:\w+:|\uff5cDSML\uff5c)?invoke>")
_GIVEN = re.compile(r"<(?:\w+:|\uff5cDSML\uff5c)?parameter name=\"([^\"<>\n]{1,200})\"[^<>]{0,100}>")
_GIVEN_END = re.compile(r"</(?:\w+:|\uff5cDSML\uff5c)?parameter>")
_KEY = re.compile(r"\s*<arg_key>([^<>]{1,200})</arg_key>\s*<arg_value>")
_KEY_END = re.compile(r"</arg_value>(?=\s*(?:<arg_key>|</tool_call>|\Z))")


def function_tag(text: str, start: int, closing: str) -> Part:
    """`NAME>` and parameters. A closing tag counts only where the next tag may stand, else it belongs to the value."""
    opened = _FUNCTION.match(text, start)
    if not opened or not opened[1]:
        return broken("the call has no name", after(text, start, closing))
    if text.startswith("{", skip_blank(text, opened.end())):
        part = named_json(text, start, "</function>")
        return Part(calls=part.calls, end=skip(re.compile(r"\s*</function>"), text, part.end))
    closed = _FUNCTION_END.search(text, opened.end()) or _CALL_END.search(text, opened.end())
    stop, end = (closed.start(), closed.end()) if closed else (len(text), len(text))
    end = end if text.startswith("</function>", stop) else stop
    return _filled(opened[1], text[opened.end() : stop], end, (_PARAMETER, _PARAMETER_END))


def invoke_tag(text: str, start: int, closing: str) -> Part:
    """`NAME">` and `<parameter name="...">` up to `</invoke>` (MiniMax, Step, DeepSeek)."""
    opened = _INVOKED.match(text, start)
    if not opened or not opened[1]:
        return broken("the call has no name", after(text, start, closing))
    closed = _INVOKE_END.search(text, opened.end())
    stop, end = (closed.start(), closed.end()) if closed else (len(text), len(text))
    return _filled(opened[1], text[opened.end() : stop], end, (_GIVEN, _GIVEN_END))


def _filled(name: str, body: str, end: int, tags: tuple[re.Pattern[str], re.Pattern[str]]) -> Part:
    opens, closes = tags
    arguments: dict[str, JSON] = {}
    position = 0
    while parameter := opens.search(body, position):
        ended = closes.search(body, parameter.end())
        value = body[parameter.end() : ended.start() if ended else len(body)]
        if opens.search(value):
            return broken(f"{name}: the tag of argument {parameter[1].strip()!r} is not closed", end, name=name)
        arguments[parameter[1].strip()] = value.removeprefix("\n").removesuffix("\n")
        position = ended.end() if ended else len(body)
    return Part(calls=[ToolCall(name=name, arguments=arguments)], end=end, raw=True)


def argument_tags(text: str, start: int, closing: str) -> Part | None:
    """GLM's name with `<arg_key>` and `<arg_value>`; None where the text is in another form."""
    named = NAME.match(text, start)
    if not named or not re.compile(r"\s*(?:<arg_key>|</tool_call>|\Z)").match(text, named.end()):
        return None
    arguments: dict[str, JSON] = {}
    position = named.end()
    while key := _KEY.match(text, position):
        ended = _KEY_END.search(text, key.end())
        stop = ended.start() if ended else after(text, key.end(), closing)
        value = text[key.end() : stop]
        if not ended and "<arg_key>" in value:
            problem = f"{named[1]}: the tag of argument {key[1].strip()!r} is not closed"
            return broken(problem, after(text, position, closing), name=named[1])
        arguments[key[1].strip()] = value
        position = ended.end() if ended else stop
    return Part(calls=[ToolCall(name=named[1], arguments=arguments)], end=position, raw=True)


def tool_call_tag(text: str, start: int, closing: str) -> Part:
    """What stands in `<tool_call>`: JSON, a function's tags, a name with its arguments' tags or JSON."""
    position = skip_blank(text, start)
    if text.startswith("<function=", position):
        return function_tag(text, position + len("<function="), closing)
    if text[position : position + 1] in ("{", "[", "`", ""):
        return json_calls(text, position, closing)
    if part := argument_tags(text, position, closing):
        return part
    if named := re.compile(r"[\w.-]{1,200}\s*(?:```(?:json)?\s*)?(?=\{)").match(text, position):
        return named_json(text, named.start(), closing)
    return json_calls(text, position, closing)
