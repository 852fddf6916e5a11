"""A policy behind an OpenAI-compatible server: it samples, it does not learn. Conversations are words, never tokens."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import httpx

from openspade.engine.base import Capabilities, Chat
from openspade.engine.server_answers import Heard, NoAnswer, read_answer, read_events, retry_after_s, unsupported
from openspade.errors import EngineError
from openspade.tokens import JSON, Completion, Message, Prompt, Sampling, TokenStream, Trajectory

log = logging.getLogger(__name__)

CHARACTERS_A_TOKEN = 4
TRIES = 6
TRIES_UNREACHED = 4
LONGEST_WAIT_S = 120.0
HALT_AFTER = 8
"""Requests without an answer in a row after which the server counts as gone."""
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Endpoint:
    """Where the server is and how hard it may be asked. `url` ends before `/chat/completions`.

    `timeout_s` is the longest silence: answers are streamed where the server can, so a long one is no silence.
    """

    url: str
    model: str
    api_key: str = ""
    context_tokens: int = 32_768
    concurrency: int = 8
    timeout_s: float = 600.0
    first_wait_s: float = 1.0
    """Seconds before a busy server is asked again; doubled each time, longer where it says so itself."""


class WordConversation:
    """One chat in words. The server renders it; there are no tokens to train on."""

    def __init__(self, messages: Sequence[Message], tools: Sequence[Mapping[str, JSON]]) -> None:
        self._messages = list(messages)
        self._tools = tuple(tools)

    def prompt(self, sampling: Sampling, seed: int) -> Prompt | None:
        return Prompt(ids=(), messages=tuple(self._messages), tools=self._tools, sampling=sampling, seed=seed)

    def reply(self, completion: Completion) -> None:
        self._messages.append(Message(role="assistant", content=completion.text))

    def tell(self, messages: Sequence[Message]) -> None:
        self._messages.extend(messages)

    def streams(self) -> tuple[TokenStream, ...]:
        return ()


class WordChat:
    """Chats for a server whose tokenizer is not known here; `count` estimates."""

    def start(self, messages: Sequence[Message], tools: Sequence[Mapping[str, JSON]] = ()) -> WordConversation:
        return WordConversation(messages, tools)

    def count(self, text: str) -> int:
        return len(text) // CHARACTERS_A_TOKEN + 1


class EndpointEngine:
    """Samples from the server; `client` is for tests. Close with `async with`."""

    def __init__(self, endpoint: Endpoint, client: httpx.AsyncClient | None = None) -> None:
        self._endpoint = endpoint
        headers = {"Authorization": f"Bearer {endpoint.api_key}"} if endpoint.api_key else {}
        # A proxy of the environment is for the world outside, never for a server on this machine.
        direct = {f"all://{host}": None for host in LOOPBACK}
        self._client = client or httpx.AsyncClient(timeout=endpoint.timeout_s, headers=headers, mounts=direct)
        self._left_out: set[str] = set()
        self._unanswered = 0
        self._places = asyncio.Semaphore(endpoint.concurrency)
        self.version = 0
        self.chat: Chat = WordChat()
        self.capabilities = Capabilities(learns=False, gathers=False, context_tokens=endpoint.context_tokens)

    async def __aenter__(self) -> EndpointEngine:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    async def sample(self, requests: Sequence[Prompt]) -> list[Completion]:
        """One completion a request. Raises EngineError where a single one fails, or most of several do.

        Otherwise a request without an answer costs itself: an empty completion whose `failure` quotes the server.
        """
        answers = await asyncio.gather(*(self._complete(request) for request in requests), return_exceptions=True)
        failed = [answer for answer in answers if isinstance(answer, EngineError)]
        others = [answer for answer in answers if isinstance(answer, BaseException) and answer not in failed]
        if others:
            raise others[0]
        if failed and (2 * len(failed) > len(requests) or self._unanswered >= HALT_AFTER):
            raise failed[0]
        return [
            Completion(ids=(), logprobs=(), text="", stop="stop", failure=str(answer))
            if isinstance(answer, BaseException)
            else answer
            for answer in answers
        ]

    async def learn(self, trajectories: Sequence[Trajectory]) -> Mapping[str, float]:
        self._refuse("learn")

    async def logprobs(self, streams: Sequence[TokenStream], *, reference: bool = False) -> list[list[float]]:
        self._refuse("score tokens")

    async def save(self, directory: Path) -> None:
        self._refuse("save weights")

    async def load(self, directory: Path) -> None:
        self._refuse("load weights")

    def _refuse(self, what: str) -> NoReturn:
        raise EngineError(
            f'a policy behind an endpoint ({self._endpoint.url}) cannot {what}; use policy.engine = "local"'
        )

    async def _complete(self, request: Prompt) -> Completion:
        where = f"{self._endpoint.url} (model {self._endpoint.model})"
        wait_s, unreached, problem = self._endpoint.first_wait_s, 0, ""
        async with self._places:
            for _ in range(TRIES):
                asked_s = 0.0
                try:
                    heard = await self._ask(request)
                    asked_s = heard.retry_after_s
                    completion = read_answer(heard)
                except httpx.TransportError as error:
                    unreached += 1
                    problem = f"no answer from {self._endpoint.url} ({type(error).__name__}): is the server up?"
                    if unreached >= TRIES_UNREACHED:
                        break
                except NoAnswer as error:
                    problem = f"{where} answered {error}"
                    if not error.again:
                        break
                else:
                    self._unanswered = 0
                    return completion
                await asyncio.sleep(min(LONGEST_WAIT_S, max(wait_s, asked_s)))
                wait_s *= 2
        self._unanswered += 1
        raise EngineError(problem)

    async def _ask(self, request: Prompt) -> Heard:
        """One answer, asked for anew without each parameter that the server names as unsupported."""
        while True:
            body = self._body(request)
            heard = await self._post(body)
            name = unsupported(heard, list(body))
            if not name:
                return heard
            if name not in self._left_out:
                self._left_out.add(name)
                instead = ", max_completion_tokens is sent instead" if name == "max_tokens" else " and is left out"
                log.warning("%s does not take %s%s", self._endpoint.url, name, instead)

    async def _post(self, body: Mapping[str, Any]) -> Heard:
        address = f"{self._endpoint.url.rstrip('/')}/chat/completions"
        try:
            async with self._client.stream("POST", address, json=body) as response:
                again_s = retry_after_s(response.headers.get("retry-after"))
                if response.status_code < 400 and "event-stream" in response.headers.get("content-type", ""):
                    said = read_events([line async for line in response.aiter_lines()])
                else:
                    said = (await response.aread()).decode("utf-8", "replace")
                return Heard(status=response.status_code, body=said, retry_after_s=again_s)
        except (httpx.UnsupportedProtocol, httpx.InvalidURL):
            raise EngineError(f"endpoint {self._endpoint.url!r} is no address: write http://HOST:PORT/v1") from None
        except httpx.DecodingError as error:
            raise NoAnswer(f"bytes that are not what it says they are ({error})", again=True) from None

    def _body(self, request: Prompt) -> dict[str, Any]:
        sampling = request.sampling
        length = "max_completion_tokens" if "max_tokens" in self._left_out else "max_tokens"
        optional: dict[str, Any] = {
            length: sampling.max_tokens,
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "seed": request.seed % 2**31,
            "stream": True,
        }
        # Not part of the common protocol, so only sent when asked for.
        optional |= {"top_k": sampling.top_k} if sampling.top_k else {}
        return {
            "model": self._endpoint.model,
            "messages": [{"role": message.role, "content": message.content} for message in request.messages],
            **{name: value for name, value in optional.items() if name not in self._left_out},
            **({"tools": list(request.tools)} if request.tools else {}),
        }
