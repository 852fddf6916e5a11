"""A chat template as text in, text out: Jinja with what published templates expect, and a way round what one lacks."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NoReturn

import jinja2
from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

from openspade.engine.chat.call_forms import is_unreadable
from openspade.engine.chat.harmony import as_fields
from openspade.errors import EngineError
from openspade.tokens import JSON, Message

Tools = Sequence[Mapping[str, JSON]]

# Templates that print today's date get this one: a conversation must render the same tomorrow.
TEMPLATE_DATE = datetime.date(2025, 1, 1)

# Some templates refuse a tool result without an id of exactly nine characters.
TOOL_CALL_ID = "000000000"

TOOL_PREAMBLE = """# Tools

You may call these functions:
<tools>
{tools}
</tools>

Call one with a JSON object inside <tool_call></tool_call>:
<tool_call>
{{"name": <function name>, "arguments": <arguments object>}}
</tool_call>"""


# What a template may raise on words it was not written for.
_REFUSALS = (
    jinja2.TemplateError,
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)


class _GenerationTag(Extension):
    """Reads `{% generation %}`, which marks assistant text for other trainers, and renders what is inside."""

    tags = {"generation"}  # noqa: RUF012 - the framework's own declaration

    def parse(self, parser: Parser) -> list[nodes.Node]:
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


class Template:
    """A Jinja chat template; `variables` are passed to every rendering (`enable_thinking` and the like).

    Some models have a second template, `tool_source`, for conversations with tools.
    """

    def __init__(
        self,
        source: str,
        *,
        special: Mapping[str, str],
        variables: Mapping[str, JSON] | None = None,
        tool_source: str = "",
    ) -> None:
        environment = ImmutableSandboxedEnvironment(
            trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols", _GenerationTag]
        )
        environment.filters["tojson"] = _to_json
        environment.globals["raise_exception"] = _refuse
        environment.globals["strftime_now"] = TEMPLATE_DATE.strftime
        try:
            self._template = environment.from_string(source)
            self._tool_template = environment.from_string(tool_source) if tool_source else self._template
        except jinja2.TemplateSyntaxError as error:
            raise EngineError(f"the chat template cannot be read: line {error.lineno}: {error.message}") from error
        self.source = source
        self.tool_source = tool_source
        self._in_parts = "<|channel|>" in source and "thinking" in source
        self.special = dict(special)
        self._variables = {**special, **(variables or {})}

    def render(self, messages: Sequence[Message], tools: Tools, *, reply_next: bool) -> str:
        """The conversation as the model reads it; with `reply_next` it ends where a reply begins."""
        try:
            template = self._tool_template if tools else self._template
            return template.render(
                messages=[_as_dict(message, in_parts=self._in_parts) for message in messages],
                tools=[dict(tool) for tool in tools] or None,
                add_generation_prompt=reply_next,
                **self._variables,
            )
        except _REFUSALS as error:
            roles = ", ".join(message.role for message in messages)
            raise EngineError(f"the chat template refuses messages of roles [{roles}]: {error}") from error


def whole_signs(text: str) -> str:
    """The text with a question mark for each half of a sign: no tokenizer reads those."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _as_dict(message: Message, *, in_parts: bool) -> dict[str, JSON]:
    content = whole_signs(message.content)
    fields: dict[str, JSON] = {"role": message.role, "content": content}
    if in_parts and message.role == "assistant":
        return fields | as_fields(content)
    return fields | ({"tool_call_id": TOOL_CALL_ID, "name": "tool"} if message.role == "tool" else {})


def _to_json(
    value: JSON,
    ensure_ascii: bool = False,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def _refuse(message: str) -> NoReturn:
    raise jinja2.TemplateError(message)


# --- what a template lacks ------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Gaps:
    """What a template cannot express; True means that our rendering goes round it."""

    system: bool
    tools: bool
    tool_results: bool


Render = Callable[[Sequence[Message], Tools, bool], str]

PROBE_TOOL: dict[str, JSON] = {
    "type": "function",
    "function": {
        "name": "probe_tool",
        "description": "A probe.",
        "parameters": {"type": "object", "properties": {"key": {"type": "string"}}, "required": ["key"]},
    },
}


class Renderer:
    """Renders any conversation of ours through a template.

    Where the template knows no system message it joins the first user message; where it drops tool schemas they
    go into the system message; where it drops or refuses tool results they are told as the user's words.
    """

    def __init__(self, template: Template) -> None:
        self.template = template
        self.gaps = Gaps(system=False, tools=False, tool_results=False)
        found = _find_gaps(self._bare)
        # Tools are told in our own form where calls in the template's would not be understood.
        self.reads_calls = not is_unreadable(template.tool_source or template.source)
        self.gaps = replace(found, tools=found.tools or not self.reads_calls)

    def render(self, messages: Sequence[Message], tools: Tools, *, reply_next: bool) -> str:
        """The whole conversation as the model reads it."""
        shown = list(messages)
        if tools and self.gaps.tools:
            shown = _with_system(shown, _tool_text(tools))
        if self.gaps.tool_results:
            shown = _join_users([replace(m, role="user") if m.role == "tool" else m for m in shown])
        if self.gaps.system:
            shown = _fold_system(shown)
        return self.template.render(shown, () if self.gaps.tools else tools, reply_next=reply_next)

    def _bare(self, messages: Sequence[Message], tools: Tools, reply_next: bool) -> str:
        try:
            return self.template.render(messages, tools, reply_next=reply_next)
        except EngineError:
            return ""


def _find_gaps(render: Render) -> Gaps:
    system, user = Message(role="system", content="probe system"), Message(role="user", content="probe user")
    reply, result = Message(role="assistant", content="probe reply"), Message(role="tool", content="probe result A")
    other, last = Message(role="tool", content="probe result B"), Message(role="user", content="probe end")
    no_system = "probe system" not in render([system, user], (), True)
    head = [user] if no_system else [system, user]
    no_tools = "probe_tool" not in render(head, (PROBE_TOOL,), True)
    tools = () if no_tools else (PROBE_TOOL,)
    played = render([*head, reply, result, reply, result, other, last], tools, True)
    shown = [played.count(text) for text in ("probe result A", "probe result B", "probe reply", "probe end")]
    return Gaps(system=no_system, tools=no_tools, tool_results=shown != [2, 1, 2, 1])


def _tool_text(tools: Tools) -> str:
    return TOOL_PREAMBLE.format(tools="\n".join(json.dumps(tool, ensure_ascii=False) for tool in tools))


def _with_system(messages: list[Message], text: str) -> list[Message]:
    if messages and messages[0].role == "system":
        return [replace(messages[0], content=f"{messages[0].content}\n\n{text}"), *messages[1:]]
    return [Message(role="system", content=text), *messages]


def _fold_system(messages: list[Message]) -> list[Message]:
    if not messages or messages[0].role != "system":
        return messages
    system, rest = messages[0], messages[1:]
    if rest and rest[0].role == "user":
        return [replace(rest[0], content=f"{system.content}\n\n{rest[0].content}"), *rest[1:]]
    return [replace(system, role="user"), *rest]


def _join_users(messages: list[Message]) -> list[Message]:
    """Templates without tool results often insist that user and assistant alternate."""
    joined: list[Message] = []
    for message in messages:
        if joined and joined[-1].role == message.role == "user":
            joined[-1] = replace(joined[-1], content=f"{joined[-1].content}\n{message.content}")
        else:
            joined.append(message)
    return joined
