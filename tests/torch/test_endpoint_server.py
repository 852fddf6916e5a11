"""A policy behind a real server on this machine: concurrency, outages, tool calls."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from openspade.engine.endpoint import Endpoint, EndpointEngine
from openspade.errors import EngineError
from openspade.tokens import Message, Prompt, Sampling

Answer = Callable[[dict[str, Any]], tuple[int, dict[str, Any]]]


@contextmanager
def serving(answer: Answer) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            status, body = answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            raw = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()


def saying(**message: object) -> tuple[int, dict[str, Any]]:
    return 200, {"choices": [{"message": message, "finish_reason": "stop"}]}


def a_prompt(text: str = "hi") -> Prompt:
    return Prompt(ids=(), messages=(Message(role="user", content=text),), sampling=Sampling(max_tokens=9), seed=1)


async def test_answers_come_back_in_the_order_of_the_requests():
    def echo(asked: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return saying(content=asked["messages"][0]["content"])

    with serving(echo) as url:
        async with EndpointEngine(Endpoint(url=url, model="m")) as engine:
            completions = await engine.sample([a_prompt(str(k)) for k in range(20)])
    assert [completion.text for completion in completions] == [str(k) for k in range(20)]


async def test_no_more_requests_wait_at_the_server_than_allowed():
    lock, here, most = threading.Lock(), 0, 0
    all_in = threading.Barrier(3, timeout=10)

    def count(_: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        nonlocal here, most
        with lock:
            here, most = here + 1, max(most, here + 1)
        all_in.wait()
        with lock:
            here -= 1
        return saying(content="x")

    with serving(count) as url:
        async with EndpointEngine(Endpoint(url=url, model="m", concurrency=3)) as engine:
            await engine.sample([a_prompt() for _ in range(9)])
    assert most == 3


async def test_parsed_tool_calls_become_the_markup_a_model_writes():
    call = {"id": "1", "type": "function", "function": {"name": "find", "arguments": '{"x": {"y": "}"}}'}}
    with serving(lambda _: saying(content="Let me look.", tool_calls=[call, call])) as url:
        async with EndpointEngine(Endpoint(url=url, model="m")) as engine:
            (completion,) = await engine.sample([a_prompt()])
    markup = '<tool_call>\n{"name": "find", "arguments": {"x": {"y": "}"}}}\n</tool_call>'
    assert completion.text == f"Let me look.\n{markup}\n{markup}"


async def test_an_outage_is_an_error_and_never_an_empty_answer():
    with serving(lambda _: (503, {})) as url:
        async with EndpointEngine(Endpoint(url=url, model="m", first_wait_s=0.0)) as engine:
            with pytest.raises(EngineError, match="answered 503"):
                await engine.sample([a_prompt()])
