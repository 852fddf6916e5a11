"""A policy behind a server, answered here by a function."""

import json
from collections.abc import Callable

import httpx
import pytest

from openspade.engine.endpoint import Endpoint, EndpointEngine
from openspade.errors import EngineError
from openspade.tokens import Message, Prompt, Sampling

HERE = Endpoint(url="http://here/v1", model="m", first_wait_s=0.0)


def engine(answer: Callable[[httpx.Request], httpx.Response]) -> EndpointEngine:
    return EndpointEngine(HERE, httpx.AsyncClient(transport=httpx.MockTransport(answer)))


def a_prompt() -> Prompt:
    conversation = engine(said("")).chat.start([Message(role="user", content="Write.")])
    prompt = conversation.prompt(Sampling(max_tokens=7, temperature=0.5), 3)
    assert prompt is not None
    return prompt


def said(text: str | None, finish: str = "stop") -> Callable[[httpx.Request], httpx.Response]:
    return lambda _: httpx.Response(200, json={"choices": [{"message": {"content": text}, "finish_reason": finish}]})


async def test_a_completion_is_what_the_server_said():
    (completion,) = await engine(said("Hello.")).sample([a_prompt()])
    assert (completion.text, completion.stop, completion.ids) == ("Hello.", "stop", ())


async def test_a_cut_completion_says_so():
    (completion,) = await engine(said("Hel", "length")).sample([a_prompt()])
    assert completion.stop == "length"


async def test_silence_is_an_empty_completion():
    (completion,) = await engine(said(None)).sample([a_prompt()])
    assert completion.text == ""


async def test_the_server_is_told_how_to_sample():
    asked: list[dict[str, object]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(json.loads(request.content))
        return said("")(request)

    await engine(answer).sample([a_prompt()])
    assert asked[0]["messages"] == [{"role": "user", "content": "Write."}]
    assert (asked[0]["max_tokens"], asked[0]["temperature"], asked[0]["seed"]) == (7, 0.5, 3)


async def test_a_busy_server_is_asked_again():
    answers = iter([httpx.Response(503), httpx.Response(429), said("At last.")(httpx.Request("POST", "/"))])
    (completion,) = await engine(lambda _: next(answers)).sample([a_prompt()])
    assert completion.text == "At last."


@pytest.mark.parametrize(
    "response",
    [httpx.Response(404, text="no model m"), httpx.Response(200, text="<html>"), httpx.Response(200, json=[])],
)
async def test_an_answer_that_is_none_is_an_error_that_quotes_it(response: httpx.Response):
    with pytest.raises(EngineError, match="http://here/v1"):
        await engine(lambda _: response).sample([a_prompt()])


async def test_a_server_that_is_not_there_is_named():
    def refuse(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused", request=request)

    with pytest.raises(EngineError, match="is the server up"):
        await engine(refuse).sample([a_prompt()])


async def test_it_does_not_learn():
    with pytest.raises(EngineError, match="cannot learn"):
        await engine(said("")).learn([])
