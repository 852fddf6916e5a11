"""Tool calls out of replies, in every format a model may write."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openspade.rollout.tools import boxed, parse_calls, read_action
from openspade.tokens import JSON
from openspade.types import ToolCall

Arguments = dict[str, JSON]
Calls = list[tuple[str, Arguments]]


def schema(name: str, required: tuple[str, ...] = (), **properties: JSON) -> dict[str, JSON]:
    parameters: JSON = {"type": "object", "properties": properties, "required": list(required)}
    return {"type": "function", "function": {"name": name, "description": "", "parameters": parameters}}


SEND = schema("send", ("to",), to={"type": "string"}, count={"type": "integer"}, tags={"type": "array"})
CLOSE = schema("close")
TOOLS = (SEND, CLOSE)


def hermes(name: str, arguments: Arguments) -> str:
    return f"<tool_call>\n{json.dumps({'name': name, 'arguments': arguments})}\n</tool_call>"


def llama(name: str, arguments: Arguments) -> str:
    return json.dumps({"name": name, "parameters": arguments})


def python_tag(name: str, arguments: Arguments) -> str:
    return f"<|python_tag|>{llama(name, arguments)}"


def mistral(name: str, arguments: Arguments) -> str:
    return f"[TOOL_CALLS] [{json.dumps({'name': name, 'arguments': arguments})}]"


def mistral_named(name: str, arguments: Arguments) -> str:
    return f"[TOOL_CALLS]{name}[ARGS]{json.dumps(arguments)}"


def coder(name: str, arguments: Arguments) -> str:
    lines = [
        f"<parameter={key}>\n{value if isinstance(value, str) else json.dumps(value)}\n</parameter>\n"
        for key, value in arguments.items()
    ]
    return f"<tool_call>\n<function={name}>\n{''.join(lines)}</function>\n</tool_call>"


FORMATS: tuple[Callable[[str, Arguments], str], ...] = (hermes, llama, python_tag, mistral, mistral_named)

settings.register_profile("brief", max_examples=40, deadline=None, derandomize=True)
settings.load_profile("brief")

TEXTS = st.one_of(
    st.text(max_size=12), st.sampled_from(["</tool_call>", "}", '{"', "[TOOL_CALLS]", "<function=x>", "\\", '"'])
)
VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-(10**6), 10**6), st.floats(allow_nan=False, allow_infinity=False), TEXTS
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXTS, inner, max_size=3)),
    max_leaves=6,
)
ARGUMENTS = st.dictionaries(TEXTS, VALUES, max_size=4)
NAMES = st.from_regex(r"[a-z_][a-z0-9_]{0,8}", fullmatch=True)


@given(name=NAMES, arguments=ARGUMENTS, write=st.sampled_from(FORMATS))
def test_a_call_survives_every_json_format(
    name: str, arguments: Arguments, write: Callable[[str, Arguments], str]
) -> None:
    assert parse_calls(write(name, arguments)) == (ToolCall(name=name, arguments=arguments),)


def mistral_list(calls: Calls) -> str:
    return f"[TOOL_CALLS] {json.dumps([{'name': name, 'arguments': arguments} for name, arguments in calls])}"


SEVERAL: tuple[Callable[[Calls], str], ...] = (
    lambda calls: "\n".join(hermes(*call) for call in calls),
    lambda calls: "; ".join(llama(*call) for call in calls),
    lambda calls: f"[{', '.join(llama(*call) for call in calls)}]",
    lambda calls: f"<|python_tag|>{'; '.join(llama(*call) for call in calls)}",
    lambda calls: "".join(mistral_named(*call) for call in calls),
    mistral_list,
)


@pytest.mark.parametrize("write", [*FORMATS, coder])
@pytest.mark.parametrize("arguments", [{"say": "</think>"}, {"say": 'a \\ "quoted" </think> b'}])
def test_the_end_of_a_thought_in_an_argument_ends_none(write: Callable[[str, Arguments], str], arguments: Arguments):
    assert parse_calls(write("tell", arguments)) == (ToolCall(name="tell", arguments=arguments),)


@given(calls=st.lists(st.tuples(NAMES, ARGUMENTS), min_size=1, max_size=4), write=st.sampled_from(SEVERAL))
def test_several_calls_of_one_message_keep_their_order(calls: Calls, write: Callable[[Calls], str]) -> None:
    assert parse_calls(write(calls)) == tuple(ToolCall(name=name, arguments=arguments) for name, arguments in calls)


CODER_TEXTS = st.one_of(
    st.text(max_size=12), st.sampled_from(["</parameter> x", "</function> x", "a </tool_call>", "12", "true", "{"])
)


@given(to=CODER_TEXTS, count=st.integers(), tags=st.lists(VALUES, max_size=3))
def test_a_call_survives_qwen_coder_tags(to: str, count: int, tags: list[JSON]) -> None:
    arguments: Arguments = {"to": to, "count": count, "tags": tags}
    assert parse_calls(coder("send", arguments), TOOLS) == (ToolCall(name="send", arguments=arguments),)


@given(texts=st.lists(CODER_TEXTS, min_size=2, max_size=4))
def test_several_calls_survive_qwen_coder_tags(texts: list[str]) -> None:
    reply = "\n".join(coder("send", {"to": text}) for text in texts)
    assert [call.arguments for call in parse_calls(reply, TOOLS)] == [{"to": text} for text in texts]


PIECES = st.sampled_from([*'{}[]"\\,:;<>/ab=\n', "<tool_call>", "</tool_call>", "<function=", "<parameter=", "\\boxed"])


@given(pieces=st.lists(PIECES, max_size=20))
def test_any_reply_is_read_without_raising(pieces: list[str]) -> None:
    parse_calls("".join(pieces), TOOLS)
    boxed("".join(pieces))


def test_a_raw_line_break_inside_a_json_string_is_text() -> None:
    reply = '<tool_call>{"name": "send", "arguments": {"to": "a\nb"}}</tool_call>'
    assert parse_calls(reply, TOOLS)[0].arguments == {"to": "a\nb"}


def test_words_beside_the_calls_are_kept_apart() -> None:
    action = read_action(f"<think>hm</think>Sending.\n{hermes('close', {})}\nDone.", "tool", TOOLS)
    assert action.text == "Sending. Done."
    assert [call.name for call in action.calls] == ["close"]


def test_calls_inside_a_thought_are_not_made() -> None:
    assert parse_calls(f"<think>{hermes('close', {})}</think>No.", TOOLS) == ()


def test_an_unclosed_last_call_counts() -> None:
    assert parse_calls('<tool_call>{"name": "close", "arguments": {}}', TOOLS)[0].problem == ""


def test_arguments_written_as_a_json_text_are_read() -> None:
    reply = hermes("send", {}).replace("{}", json.dumps(json.dumps({"to": "Ann"})))
    assert parse_calls(reply, TOOLS) == (ToolCall(name="send", arguments={"to": "Ann"}),)


def test_a_call_in_a_json_fence_is_a_call() -> None:
    assert parse_calls(f"```json\n{llama('close', {})}\n```", TOOLS) == (ToolCall(name="close", arguments={}),)


def test_prose_with_braces_is_no_call() -> None:
    assert parse_calls('I would say {"name": "close"} here.', TOOLS) == ()
    assert parse_calls("[1, 2]", TOOLS) == ()


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({}, "send: argument 'to' is missing"),
        ({"to": 7}, "send: argument 'to' must be a string, not 7"),
        ({"to": "A", "count": "3"}, "send: argument 'count' must be an integer, not \"3\""),
        ({"to": "A", "count": True}, "send: argument 'count' must be an integer, not true"),
        ({"to": "A", "cc": "B"}, "send: argument 'cc' is unknown; there are to, count, tags"),
    ],
)
def test_a_wrong_argument_is_named(arguments: Arguments, problem: str) -> None:
    assert parse_calls(hermes("send", arguments), TOOLS)[0].problem == problem


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("<tool_call>{name: send}</tool_call>", "the call is not valid JSON"),
        ("<tool_call>{'name': 'send'}</tool_call>", "argument 'to' is missing"),
        ("<tool_call>send(to='A')</tool_call>", "a call is JSON"),
        (hermes("sned", {}), "there is no tool 'sned'; there are send, close"),
        ('<tool_call>{"name": "send", "arguments": {"to": NaN}}</tool_call>', "NaN is no JSON number"),
        ('<tool_call>{"name": "send", "arguments": [1]}</tool_call>', "arguments must be a JSON object"),
        ("<tool_call>" + "[" * 100_000, "nested too deep"),
    ],
)
def test_a_broken_call_comes_back_with_its_problem(reply: str, problem: str) -> None:
    assert problem in parse_calls(reply, TOOLS)[0].problem


def test_reading_goes_on_after_a_broken_call() -> None:
    calls = parse_calls(f"<tool_call>{{oops</tool_call>{hermes('close', {})}", TOOLS)
    assert [call.name for call in calls] == ["", "close"]


@pytest.mark.parametrize(
    ("reply", "move"),
    [
        (r"I say \boxed{4}.", "4"),
        (r"\boxed{4} no, \boxed{ 5 }", "5"),
        (r"\boxed{\frac{1}{2}}", r"\frac{1}{2}"),
        (r"\boxed{\text{left}}", "left"),
        (r"\boxed{a\}b}", r"a\}b"),
        (r"\boxed{\boxed{4}}", "4"),
        (r"\boxed{4} then \boxed{", "4"),
        (r"<think>\boxed{3}</think> \boxed{4}", "4"),
        ("  open 3\n", "open 3"),
        (r"<think>\boxed{3}", ""),
        (r"\boxed{}", ""),
    ],
)
def test_the_last_complete_box_is_the_move(reply: str, move: str) -> None:
    assert boxed(reply) == move


def test_ten_thousand_open_boxes_are_read_in_no_time() -> None:
    assert boxed(r"\boxed{" * 10_000).startswith(r"\boxed")
