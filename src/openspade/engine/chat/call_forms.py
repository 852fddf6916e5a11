"""The forms in which models write tool calls: a row each, all of them read from any reply."""

from __future__ import annotations

import re
from dataclasses import dataclass

from openspade.engine.chat.call_readers import (
    Part,
    Reader,
    json_calls,
    keyed_calls,
    loose_call,
    named_json,
    python_calls,
    skip_blank,
)
from openspade.engine.chat.call_tags import function_tag, invoke_tag, tool_call_tag


@dataclass(frozen=True, kw_only=True, slots=True)
class Form:
    """One way to write a call.

    `marker` is the pattern it begins with, `closing` the text it ends with, `taught` what only a template that teaches
    it contains, and `example` the right form, told where a call is broken.
    """

    name: str
    marker: str
    read: Reader
    closing: str = ""
    taught: str = ""
    example: str


_OBJECT = '{"name": NAME, "arguments": {...}}'
_TAGS = "<function=NAME><parameter=KEY>VALUE</parameter></function>"

FORMS = (
    Form(name="Hermes, Qwen, GLM", marker=r"<tool_call>", read=tool_call_tag, closing="</tool_call>",
         example=f"<tool_call>{_OBJECT}</tool_call>"),
    Form(name="function tags", marker=r"<function=", read=function_tag, closing="</function>", example=_TAGS),
    Form(name="Mistral", marker=r"\[TOOL_CALLS\]", read=named_json, taught="[TOOL_CALLS]",
         example=f"[TOOL_CALLS][{_OBJECT}]"),
    Form(name="Llama", marker=r"<\|python_tag\|>", read=python_calls, closing="<|eom_id|>",
         example='{"name": NAME, "parameters": {...}}'),
    Form(name="Llama 4", marker=r"<\|python_start\|>", read=python_calls, closing="<|python_end|>",
         example="[NAME(KEY=VALUE)]"),
    Form(name="DeepSeek", marker=r"<\uff5ctool\u2581call\u2581begin\uff5c>", read=named_json,
         closing="<\uff5ctool\u2581call\u2581end\uff5c>",
         example="<\uff5ctool\u2581call\u2581begin\uff5c>NAME<\uff5ctool\u2581sep\uff5c>{...}"
         "<\uff5ctool\u2581call\u2581end\uff5c>"),
    Form(name="Kimi K2", marker=r"<\|tool_call_begin\|>", read=named_json, closing="<|tool_call_end|>",
         example="<|tool_call_begin|>functions.NAME:0<|tool_call_argument_begin|>{...}<|tool_call_end|>"),
    Form(name="Granite, Phi-4", marker=r"<\|tool_call\|>", read=json_calls, closing="<|/tool_call|>",
         example=f"<|tool_call|>[{_OBJECT}]"),
    Form(name="LFM2", marker=r"<\|tool_call_start\|>", read=python_calls, closing="<|tool_call_end|>",
         example="<|tool_call_start|>[NAME(KEY=VALUE)]<|tool_call_end|>"),
    Form(name="invoke tags", marker=r"<(?:\w{1,20}:|\uff5cDSML\uff5c)?invoke name=\"", read=invoke_tag,
         closing="invoke>", taught="invoke name=",
         example='<invoke name="NAME"><parameter name="KEY">VALUE</parameter></invoke>'),
    Form(name="Gemma 3", marker=r"```tool_code[ \t]*\n", read=python_calls, closing="```", taught="tool_code",
         example="```tool_code\nNAME(KEY=VALUE)\n```"),
    Form(name="Gemma 4", marker=r"<\|tool_call>", read=loose_call, closing="<tool_call|>",
         example='<|tool_call>call:NAME{KEY:<|"|>VALUE<|"|>}<tool_call|>'),
    Form(name="FunctionGemma", marker=r"<start_function_call>", read=loose_call, closing="<end_function_call>",
         example="<start_function_call>call:NAME{KEY:<escape>VALUE<escape>}<end_function_call>"),
    Form(name="Command", marker=r"<\|START_ACTION\|>", read=json_calls, closing="<|END_ACTION|>",
         example='<|START_ACTION|>[{"tool_name": NAME, "parameters": {...}}]<|END_ACTION|>'),
    Form(name="Command R", marker=r"Action:\s{0,9}```json", read=json_calls, closing="```", taught="Action:",
         example='Action: ```json\n[{"tool_name": NAME, "parameters": {...}}]\n```'),
    Form(name="Nemotron", marker=r"<TOOLCALL>", read=json_calls, closing="</TOOLCALL>",
         example=f"<TOOLCALL>[{_OBJECT}]</TOOLCALL>"),
    Form(name="Apriel", marker=r"<tool_calls>(?=\s{0,99}[\[{])", read=json_calls, closing="</tool_calls>",
         taught="<tool_calls>", example=f"<tool_calls>[{_OBJECT}]</tool_calls>"),
    Form(name="OLMo", marker=r"<function_calls>(?!\s{0,99}<)", read=python_calls, closing="</function_calls>",
         taught="<function_calls>", example="<function_calls>NAME(KEY=VALUE)</function_calls>"),
    Form(name="Apertus", marker=r"<\|tools_prefix\|>", read=keyed_calls, closing="<|tools_suffix|>",
         example="<|tools_prefix|>[{NAME: {...}}]<|tools_suffix|>"),
    Form(name="InternLM", marker=r"<\|action_start\|>\s{0,9}<\|plugin\|>", read=json_calls, closing="<|action_end|>",
         taught="<|action_start|>", example=f"<|action_start|><|plugin|>{_OBJECT}<|action_end|>"),
    Form(name="GigaChat", marker=r"function call<\|role_sep\|>", read=json_calls, taught="function call",
         example=f"function call<|role_sep|>{_OBJECT}"),
    Form(name="gpt-oss", marker=r"(?:<\|start\|>assistant|<\|channel\|>\w{1,20})\s{1,9}to=functions\.", read=named_json,
         closing="<|call|>", taught="<|channel|>commentary",
         example="<|channel|>commentary to=functions.NAME <|constrain|>json<|message|>{...}<|call|>"),
)  # fmt: skip

_MARKER = re.compile("(?=[<\\[`Af])(?:" + "|".join(f"({form.marker})" for form in FORMS) + ")")
# What stands around calls and says nothing.
_WRAPPER = re.compile(
    r"</?(?:minimax|seed|steptml|tool)?:?(?:tool_calls?|toolcall|function_calls)>|<\|/?tool_calls_section_(?:begin|end)\|>"
    r"|</?\uff5c(?:DSML\uff5cfunction_calls|tool\u2581calls\u2581(?:begin|end)|tool_calls?_(?:begin|end))\uff5c?>"
    r"|(?:function)?<\uff5ctool_sep\uff5c>|<\|call\|>|<\|eom_id\|>"
)
_BARE_FORM = re.compile(r"\"name\"\s*:")


def next_call(text: str, position: int) -> tuple[re.Match[str], Form] | None:
    """The first marker from there on, and whose it is."""
    marker = _MARKER.search(text, position)
    return (marker, FORMS[(marker.lastindex or 1) - 1]) if marker else None


def read_call(text: str, start: int, form: Form) -> Part:
    """The calls after a form's marker; reading goes on behind its closing mark."""
    part = form.read(text, start, form.closing)
    end = skip_blank(text, part.end)
    return Part(
        calls=part.calls,
        end=end + len(form.closing.strip())
        if form.closing and text.startswith(form.closing.strip(), end)
        else part.end,
        raw=part.raw,
    )


def without_wrappers(text: str) -> str:
    """The words without the marks that stand around calls."""
    return _WRAPPER.sub("", text).strip()


def taught_forms(template: str) -> tuple[str, ...]:
    """Names of the forms that a template's source contains."""
    return tuple(
        form.name for form in FORMS if (form.taught in template if form.taught else re.search(form.marker, template))
    )


def is_unreadable(template: str) -> bool:
    """Whether a template writes earlier calls in a form that no row here reads."""
    return "tool_calls" in template and not taught_forms(template) and not _BARE_FORM.search(template)
