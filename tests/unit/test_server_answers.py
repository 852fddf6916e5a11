"""What servers answer: whatever it is, a completion or a sentence that quotes it."""

import json
from collections.abc import Callable
from datetime import UTC, datetime

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from openspade.engine.endpoint import Endpoint, EndpointEngine
from openspade.engine.server_answers import Heard, NoAnswer, read_answer, read_events, retry_after_s, unsupported
from openspade.errors import EngineError
from openspade.tokens import Message, Prompt, Sampling

HERE = Endpoint(url="http://here/v1", model="m", first_wait_s=0.0)


def whole(message: object, finish: str = "stop", status: int = 200) -> Heard:
    return Heard(status=status, body=json.dumps({"choices": [{"message": message, "finish_reason": finish}]}))


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"content": "Hi"}, "Hi"),
        ({"content": None}, ""),
        ({"content": [{"type": "text", "text": "a"}, {"type": "image_url"}, "b"]}, "ab"),
        ({"content": None, "reasoning_content": "hm", "reasoning": "hm"}, ""),
        ({}, ""),
        (
            {"content": None, "tool_calls": [{"function": {"name": "look", "arguments": '{"a": 1}'}}]},
            '<tool_call>\n{"name": "look", "arguments": {"a": 1}}\n</tool_call>',
        ),
        (
            {"content": "So:", "tool_calls": [{"function": {"name": "look", "arguments": {"a": 1}}}, {"id": 3}, None]},
            'So:\n<tool_call>\n{"name": "look", "arguments": {"a": 1}}\n</tool_call>',
        ),
        (
            {"function_call": {"name": "look", "arguments": ""}},
            '<tool_call>\n{"name": "look", "arguments": {}}\n</tool_call>',
        ),
    ],
)
def test_a_message_of_any_form_is_read(message: object, text: str) -> None:
    assert read_answer(whole(message)).text == text


@pytest.mark.parametrize(
    ("heard", "again", "said"),
    [
        (Heard(status=400, body='{"error": {"message": "filtered"}}'), False, "filtered"),
        (Heard(status=401, body="who are you"), False, "who are you"),
        (Heard(status=413, body="too long"), False, "too long"),
        *((Heard(status=status, body="busy"), True, str(status)) for status in (408, 429, 500, 502, 520, 529, 599)),
        (Heard(status=200, body='{"choices": []}'), True, "no choice"),
        (Heard(status=200, body='{"choices": [null]}'), True, "no choice"),
        (Heard(status=200, body="[]"), True, "no choice"),
        (Heard(status=200, body="<html>gateway</html>"), True, "gateway"),
        (Heard(status=200, body='{"choices": [{"mess'), True, "no JSON"),
        (Heard(status=200, body=""), True, "nothing"),
        (Heard(status=200, body='{"error": {"code": 502, "message": "upstream"}}'), True, "upstream"),
        (Heard(status=200, body='{"error": {"code": 400, "message": "filtered"}}'), False, "filtered"),
        (Heard(status=200, body='{"error": "odd"}'), True, "odd"),
    ],
)
def test_no_answer_is_quoted_and_says_whether_to_ask_again(heard: Heard, again: bool, said: str) -> None:
    with pytest.raises(NoAnswer) as error:
        read_answer(heard)
    assert error.value.again is again and said in str(error.value)


def test_a_stream_is_read_as_the_body_it_stands_for() -> None:
    deltas = [{"role": "assistant"}, {"content": "Hel"}, {"reasoning_content": "hm"}, {"content": "lo"}]
    lines = [": ping", "", *(f"data: {json.dumps({'choices': [{'delta': delta}]})}" for delta in deltas)]
    call = (
        [{"index": 0, "function": {"name": "look", "arguments": '{"a"'}}],
        [{"index": 0, "function": {"arguments": ": 1}"}}],
    )
    lines += [f"data: {json.dumps({'choices': [{'delta': {'tool_calls': one}}]})}" for one in call]
    read = read_answer(Heard(status=200, body=read_events([*lines, "data: [DONE]"])))
    assert read.text == 'Hello\n<tool_call>\n{"name": "look", "arguments": {"a": 1}}\n</tool_call>'
    cut = f"data: {json.dumps({'choices': [{'delta': {}, 'finish_reason': 'length'}]})}"
    assert read_answer(Heard(status=200, body=read_events([*lines, cut]))).stop == "length"
    with pytest.raises(NoAnswer, match="broke off after 5"):
        read_events(lines)
    with pytest.raises(NoAnswer, match="overloaded"):
        read_answer(Heard(status=200, body=read_events(['data: {"error": {"message": "overloaded"}}'])))


def said_or_quoted(read: Callable[[], object]) -> str:
    """What came of it: an answer, or a sentence. Any other exception is a fault."""
    try:
        return repr(read())
    except NoAnswer as error:
        return str(error)


@given(st.integers(200, 599), st.text() | st.recursive(st.none() | st.text() | st.integers(), st.lists).map(json.dumps))
def test_any_body_is_an_answer_or_a_sentence(status: int, body: str) -> None:
    assert said_or_quoted(lambda: read_answer(Heard(status=status, body=body)))


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=9,
)


@given(st.fixed_dictionaries({}, optional={"choices": ANY_JSON, "error": ANY_JSON}) | ANY_JSON, ANY_JSON, ANY_JSON)
def test_any_shape_in_an_answer_is_an_answer_or_a_sentence(body: object, message: object, calls: object) -> None:
    inner = {"tool_calls": calls, "content": body}
    shapes = [
        {"message": message},
        {"message": inner},
        {"delta": inner},
        {"delta": {"tool_calls": [{"function": inner}]}},
    ]
    for one in (body, *({"choices": [shape]} for shape in shapes)):
        said = json.dumps(one)
        assert said_or_quoted(lambda said=said: read_answer(Heard(status=200, body=said)))
        assert said_or_quoted(lambda said=said: read_events([f"data: {said}", "data: [DONE]"]))


def test_a_wait_is_read_from_a_number_or_a_date() -> None:
    now = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
    assert retry_after_s("20") == 20
    assert retry_after_s("Tue, 01 Dec 2026 12:00:30 GMT", now) == 30
    assert [retry_after_s(odd) for odd in (None, "", "soon", "-3")] == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("said", "name"),
    [
        (
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens'.",
            "max_tokens",
        ),
        ("Unsupported value: 'temperature' does not support 0.5 with this model.", "temperature"),
        ("seed: Extra inputs are not permitted", "seed"),
        ("Unrecognized request argument supplied: top_k", "top_k"),
        ("max_tokens is too large: 9000; the context has 8192", ""),
        ("the prompt was filtered", ""),
    ],
)
def test_a_parameter_that_a_server_does_not_take_is_found(said: str, name: str) -> None:
    sent = ("max_tokens", "temperature", "seed", "top_k")
    assert unsupported(Heard(status=400, body=json.dumps({"error": {"message": said}})), sent) == name


def engine(answer: Callable[[httpx.Request], httpx.Response]) -> EndpointEngine:
    return EndpointEngine(HERE, httpx.AsyncClient(transport=httpx.MockTransport(answer)))


def prompts(number: int) -> list[Prompt]:
    said = engine(lambda _: httpx.Response(200)).chat.start([Message(role="user", content="Write.")])
    asked = [said.prompt(Sampling(max_tokens=7, temperature=0.5), seed) for seed in range(number)]
    return [prompt for prompt in asked if prompt]


def good(text: str = "Hello.") -> httpx.Response:
    return httpx.Response(200, json={"choices": [{"message": {"content": text}, "finish_reason": "stop"}]})


@pytest.mark.parametrize(
    "bad",
    [
        httpx.Response(400, json={"error": {"message": "filtered"}}),
        httpx.Response(529, text="overloaded"),
        httpx.Response(200, json={"choices": []}),
        httpx.Response(200, text="<html>"),
    ],
)
async def test_one_bad_answer_costs_itself(bad: httpx.Response) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        return bad if json.loads(request.content)["seed"] == 2 else good()

    completions = await engine(answer).sample(prompts(8))
    assert [completion.text for completion in completions if not completion.failure] == ["Hello."] * 7
    assert "http://here/v1" in completions[2].failure and not completions[2].text


async def test_a_batch_that_mostly_fails_is_an_error() -> None:
    with pytest.raises(EngineError, match="401: no key"):
        await engine(lambda _: httpx.Response(401, text="no key")).sample(prompts(4))


async def test_parameters_are_left_out_or_renamed_once(caplog: pytest.LogCaptureFixture) -> None:
    asked: list[dict[str, object]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(json.loads(request.content))
        for name in ("max_tokens", "seed", "stream"):
            if name in asked[-1]:
                return httpx.Response(400, json={"error": {"message": f"Unsupported parameter: '{name}'"}})
        return good()

    there = engine(answer)
    await there.sample(prompts(1))
    await there.sample(prompts(1))
    assert asked[-1]["max_completion_tokens"] == 7
    assert not {"max_tokens", "seed", "stream"} & asked[-1].keys()
    assert len(asked) == 5 and len(caplog.records) == 3


async def test_a_streamed_answer_is_put_together() -> None:
    events = "".join(f"data: {json.dumps({'choices': [{'delta': {'content': part}}]})}\n\n" for part in ("He", "llo."))
    headers = {"content-type": "text/event-stream; charset=utf-8"}
    answers = iter(
        [
            httpx.Response(200, text=events, headers=headers),
            httpx.Response(200, text=f"{events}data: [DONE]\n\n", headers=headers),
        ]
    )
    (completion,) = await engine(lambda _: next(answers)).sample(prompts(1))
    assert completion.text == "Hello."


def test_a_proxy_of_the_environment_never_catches_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.invalid:3128")
    monkeypatch.setenv("ALL_PROXY", "http://proxy.invalid:3128")
    there = EndpointEngine(HERE)
    for host in ("127.0.0.1", "localhost", "[::1]"):
        assert there._client._transport_for_url(httpx.URL(f"http://{host}:8000/v1")) is there._client._transport
