# ruff: noqa: RUF001 - the bars are what these models write
"""Every family's form of a tool call is read, typed, bounded, and told where it is broken."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openspade.engine.chat.call_forms import FORMS, is_unreadable, taught_forms
from openspade.roles.thoughts import MARKS, after_thought
from openspade.rollout.tools import MAX_CALLS, boxed, parse_calls, read_action
from openspade.tokens import JSON
from openspade.types import ToolCall

FIND: dict[str, JSON] = {
    "type": "function",
    "function": {
        "name": "find",
        "parameters": {
            "type": "object",
            "properties": {"slip": {"type": "string"}, "n": {"type": "integer"}, "open": {"type": "boolean"}},
            "required": ["slip"],
        },
    },
}
TOOLS = (FIND,)
ONE = '{"name":"find","arguments":{"slip":"1"}}'
SEP = "<｜tool▁sep｜>"
V3 = (
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>",
    "<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
)
KIMI = "<|tool_call_begin|>functions.find:0<|tool_call_argument_begin|>"
CASES = {
    "kimi-k2": f'<|tool_calls_section_begin|>{KIMI}{{"slip":"1"}}<|tool_call_end|><|tool_calls_section_end|>',
    "deepseek-v3.1": f'{V3[0]}find{SEP}{{"slip":"1"}}{V3[1]}',
    "deepseek-v3": f'{V3[0]}function{SEP}find\n```json\n{{"slip":"1"}}\n```{V3[1]}',
    "deepseek-v3.2": '<｜DSML｜function_calls>\n<｜DSML｜invoke name="find">\n'
    '<｜DSML｜parameter name="slip" string="true">1'
    "</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
    "glm-4.6": "<tool_call>find\n<arg_key>slip</arg_key>\n<arg_value>1</arg_value>\n</tool_call>",
    "gemma3 python": '```tool_code\nfind(slip="1")\n```',
    "gemma3 printed": '```tool_code\nprint(default_api.find(slip="1"))\n```',
    "gemma4": '<|tool_call>call:find{slip:<|"|>1<|"|>}<tool_call|>',
    "functiongemma": "<start_function_call>call:find{slip:<escape>1<escape>}<end_function_call>",
    "gpt-oss": '<|channel|>commentary to=functions.find <|constrain|>json<|message|>{"slip":"1"}',
    "gpt-oss with a thought": "<|channel|>analysis<|message|>Look.<|end|><|start|>assistant<|channel|>commentary "
    'to=functions.find <|constrain|>json<|message|>{"slip":"1"}<|call|>',
    "gpt-oss, recipient first": '<|start|>assistant to=functions.find<|channel|>commentary json<|message|>{"slip":"1"}',
    "llama3.2 pythonic": '[find(slip="1")]',
    "llama4": '<|python_start|>[find(slip="1")]<|python_end|>',
    "llama3.1 json": '{"name": "find", "parameters": {"slip": "1"}}',
    "llama3.1 tag": '<|python_tag|>{"name": "find", "parameters": {"slip": "1"}}<|eom_id|>',
    "llama3.1 tag python": '<|python_tag|>find.call(slip="1")',
    "llama3.1 func tag": '<function=find>{"slip": "1"}</function>',
    "mistral": f"[TOOL_CALLS][{ONE}]",
    "mistral-new": '[TOOL_CALLS]find[ARGS]{"slip":"1"}',
    "mistral call_id": '[TOOL_CALLS]find[CALL_ID]abc123def[ARGS]{"slip":"1"}',
    "command-r7b": '<|START_ACTION|>[{"tool_call_id":"0","tool_name":"find","parameters":{"slip":"1"}}]<|END_ACTION|>',
    "command-r": 'Action: ```json\n[{"tool_name": "find", "parameters": {"slip": "1"}}]\n```',
    "granite": f"<|tool_call|>[{ONE}]",
    "granite 4": f"<tool_call>[{ONE}]</tool_call>",
    "phi4-mini": f"<|tool_call|>[{ONE}]<|/tool_call|>",
    "minimax-m2": '<minimax:tool_call>\n<invoke name="find">\n<parameter name="slip">1</parameter>\n</invoke>\n'
    "</minimax:tool_call>",
    "step-3": '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="find">'
    '<steptml:parameter name="slip">1</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
    "seed-oss": "<seed:tool_call>\n<function=find>\n<parameter=slip>1</parameter>\n</function>\n</seed:tool_call>",
    "nemotron": f"<TOOLCALL>[{ONE}]</TOOLCALL>",
    "lfm2": '<|tool_call_start|>[find(slip="1")]<|tool_call_end|>',
    "olmo": '<function_calls>find(slip="1")</function_calls>',
    "apertus": '<|tools_prefix|>[{"find": {"slip": "1"}}]<|tools_suffix|>',
    "internlm": '<|action_start|><|plugin|>{"name": "find", "parameters": {"slip": "1"}}<|action_end|>',
    "hunyuan": '<tool_calls><tool_call>find\n```json\n{"slip": "1"}\n```</tool_call></tool_calls>',
    "qwen3": f"<think>x</think>\n\n<tool_call>\n{ONE}\n</tool_call>",
    "qwen3-coder": "<tool_call>\n<function=find>\n<parameter=slip>\n1\n</parameter>\n</function>\n</tool_call>",
    "hermes single quotes": "<tool_call>\n{'name': 'find', 'arguments': {'slip': '1'}}\n</tool_call>",
    "json in fence+prose": f"Let me look.\n```json\n{ONE}\n```",
    "apriel": f"<tool_calls>[{ONE}]</tool_calls>",
    "xlam": f'{{"tool_calls": [{ONE}]}}',
    "openai": '{"type": "function", "function": {"name": "find", "arguments": "{\\"slip\\": \\"1\\"}"}}',
    "gigachat": f"function call<|role_sep|>\n{ONE}",
}
WORDS = {"json in fence+prose": "Let me look."}


@pytest.mark.parametrize("family", CASES)
def test_a_familys_own_form_is_read_and_nothing_of_it_is_left_in_the_words(family: str):
    action = read_action(CASES[family], "tool", TOOLS)
    assert action.calls == (ToolCall(name="find", arguments={"slip": "1"}),)
    assert action.text == WORDS.get(family, "")


TYPED = {
    "qwen3-coder": "<tool_call><function=find><parameter=slip>1</parameter><parameter=n>2</parameter>"
    "<parameter=open>True</parameter></function></tool_call>",
    "seed": "<seed:tool_call><function=find><parameter=slip>1</parameter><parameter=n>2</parameter>"
    "<parameter=open>true</parameter></function></seed:tool_call>",
    "glm": "<tool_call>find\n<arg_key>slip</arg_key><arg_value>1</arg_value>"
    "<arg_key>n</arg_key><arg_value>2</arg_value>"
    "<arg_key>open</arg_key><arg_value>true</arg_value></tool_call>",
    "minimax": '<invoke name="find"><parameter name="slip">1</parameter><parameter name="n">2</parameter>'
    '<parameter name="open">true</parameter></invoke>',
    "gemma4": '<|tool_call>call:find{slip:<|"|>1<|"|>,n:2,open:true}<tool_call|>',
    "lfm2": '<|tool_call_start|>[find(slip="1", n=2, open=True)]<|tool_call_end|>',
}


@pytest.mark.parametrize("family", TYPED)
def test_values_have_the_types_of_the_tools_schema(family: str):
    (call,) = parse_calls(TYPED[family], TOOLS)
    assert (call.problem, call.arguments) == ("", {"slip": "1", "n": 2, "open": True})


TWO = {
    "deepseek": f'{V3[0]}find{SEP}{{"slip":"1"}}<｜tool▁call▁end｜><｜tool▁call▁begin｜>find{SEP}{{"slip":"2"}}{V3[1]}',
    "kimi": f'{KIMI}{{"slip":"1"}}<|tool_call_end|>{KIMI}{{"slip":"2"}}<|tool_call_end|>',
    "glm": "".join(f"<tool_call>find\n<arg_key>slip</arg_key><arg_value>{n}</arg_value></tool_call>\n" for n in (1, 2)),
    "minimax": "".join(f'<invoke name="find"><parameter name="slip">{n}</parameter></invoke>' for n in (1, 2)),
    "lfm2": '<|tool_call_start|>[find(slip="1"), find(slip="2")]<|tool_call_end|>',
    "olmo": '<function_calls>find(slip="1")\nfind(slip="2")</function_calls>',
    "llama": '[find(slip="1"), find(slip="2")]',
}


@pytest.mark.parametrize("family", TWO)
def test_two_calls_are_two_in_their_order(family: str):
    assert [call.arguments for call in parse_calls(TWO[family], TOOLS)] == [{"slip": "1"}, {"slip": "2"}]


BROKEN = (
    "<tool_call><function=find><parameter=slip>1<parameter=n>2</parameter></function></tool_call>",
    '<invoke name="find"><parameter name="slip">1<parameter name="n">2</parameter></invoke>',
    '<|tool_call_start|>[find("1")]<|tool_call_end|>',
    "<|tool_call_start|>[find(slip=]<|tool_call_end|>",
    f'{V3[0]}find{SEP}{{"slip":{V3[1]}',
    f"{KIMI}1<|tool_call_end|>",
    "<|tool_call>call:find{slip:<tool_call|>",
    "<TOOLCALL>find</TOOLCALL>",
    "<|tools_prefix|>find<|tools_suffix|>",
)


@pytest.mark.parametrize("reply", BROKEN)
def test_a_broken_call_is_told_the_right_form_and_gives_no_argument(reply: str):
    (call,) = parse_calls(reply, TOOLS)
    assert "; write " in call.problem and call.arguments == {}


@pytest.mark.parametrize("closing", ["</function>", "</tool_call>", "</parameter>", ""])
def test_a_missing_closing_tag_leaks_no_markup_into_the_value(closing: str):
    tags = "<tool_call><function=find><parameter=slip>1</parameter></function></tool_call>"
    for call in parse_calls(tags.replace(closing, "", 1) if closing else tags, TOOLS):
        assert call.problem or call.arguments == {"slip": "1"}


@pytest.mark.parametrize(("opened", "closed"), MARKS)
def test_calls_and_boxes_in_a_thought_do_not_count(opened: str, closed: str):
    thought = f"{opened}{CASES['qwen3-coder']} \\boxed{{3}}{closed}"
    assert parse_calls(f"{thought}No.", TOOLS) == () and boxed(f"{thought}\\boxed{{4}}") == "4"


def test_gpt_oss_thinks_in_one_channel_and_speaks_in_another():
    reply = "<|channel|>analysis<|message|>\\boxed{3}<|end|><|start|>assistant<|channel|>final<|message|>\\boxed{5}"
    assert (after_thought(reply), boxed(reply)) == ("\\boxed{5}", "5")
    assert after_thought("<|channel|>analysis<|message|>\\boxed{3}") == ""


HALVES = [
    *dict.fromkeys(form.example.partition("NAME")[0] for form in FORMS),
    *(form.example for form in FORMS),
    *(
        '<tool_call>{"a":',
        "<tool_call>{'",
        "<parameter=",
        "<function=a><parameter=b>",
        "</parameter> ",
        "[[{",
        "<arg_key>",
    ),
    *(
        "[TOOL_CALLS]a",
        "f(" * 9,
        "-" * 30,
        "<tool_call>find<arg_key>a</arg_key><arg_value>",
        "```json\n",
        "\\boxed{",
        "<",
    ),
    *(
        "<|channel|>",
        "<|channel|>analysis<|message|>",
        "</function>",
        "<tool_calls> ",
        '<invoke name="',
        "a<think>",
        " ",
    ),
]


@pytest.mark.parametrize("half", HALVES)
def test_a_megabyte_of_half_markup_is_read_in_a_second(half: str):
    reply = half * (1_000_000 // len(half))
    began = time.perf_counter()
    assert len(parse_calls(reply, TOOLS)) <= MAX_CALLS
    boxed(reply)
    assert time.perf_counter() - began < 3  # a loaded machine's second


PIECES = [
    *{piece for form in FORMS for piece in (form.closing, form.example)},
    *HALVES,
    *"{}[]()\"',:=\n\\a1",
    "\ud800",
]


@settings(max_examples=300, deadline=None, derandomize=True)
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=12))
def test_any_mix_of_markup_is_read_without_raising(pieces: list[str]):
    for tools in (TOOLS, ()):
        assert all(isinstance(call.name, str) for call in parse_calls("".join(pieces), tools))
    boxed("".join(pieces))


@pytest.mark.parametrize("deep", ["[", "(", "{", "f(", "-", "not ", "a.", "[{'a':", '{"a":'])
@pytest.mark.parametrize("marker", ["<|tool_call_start|>", "<tool_call>", "<|tool_call>call:a", "<|tools_prefix|>", ""])
def test_what_is_nested_too_deep_is_a_problem(marker: str, deep: str):
    assert all(call.problem for call in parse_calls(marker + deep * 40_000, TOOLS))


def test_a_template_names_the_forms_it_teaches():
    assert taught_forms("{{ '<tool_call>' }}{{ call.name }}<arg_key>") == ("Hermes, Qwen, GLM",)
    assert taught_forms("nothing") == () and not is_unreadable("nothing")
    assert is_unreadable("{% for call in message.tool_calls %}@@{{ call.name }}@@{% endfor %}")
