"""A policy behind an OpenAI-compatible server: it samples, it does not learn. Conversations are words, never tokens."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import httpx

from openspade.engine.base import Capabilities, Chat
from openspade.errors import EngineError
from openspade.tokens import JSON, Completion, Message, Prompt, Sampling, TokenStream, Trajectory

CHARACTERS_A_TOKEN = 4
TRIES = 4
BUSY_STATUS = (408, 429, 500, 502, 503, 504)


@dataclass(frozen=True, kw_only=True, slots=True)
class Endpoint:
    """Where the server is and how hard it may be asked. `url` ends before `/chat/completions`."""

    url: str
    model: str
    api_key: str = ""
    context_tokens: int = 32_768
    concurrency: int = 8
    timeout_s: float = 600.0
    first_wait_s: float = 1.0
    """Seconds before a busy server is asked again; doubled each time."""


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
        self._client = client or httpx.AsyncClient(timeout=endpoint.timeout_s, headers=headers)
        self._places = asyncio.Semaphore(endpoint.concurrency)
        self.version = 0
        self.chat: Chat = WordChat()
        self.capabilities = Capabilities(learns=False, gathers=False, context_tokens=endpoint.context_tokens)

    async def __aenter__(self) -> EndpointEngine:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    async def sample(self, requests: Sequence[Prompt]) -> list[Completion]:
        return list(await asyncio.gather(*(self._complete(request) for request in requests)))

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
        wait_s = self._endpoint.first_wait_s
        async with self._places:
            for _ in range(TRIES - 1):
                try:
                    response = await self._post(request)
                except httpx.TransportError:
                    response = None
                if response is not None and response.status_code not in BUSY_STATUS:
                    return self._read(response)
                await asyncio.sleep(wait_s)
                wait_s *= 2
            try:
                return self._read(await self._post(request))
            except httpx.TransportError as error:
                raise EngineError(
                    f"no answer from {self._endpoint.url} after {TRIES} tries ({type(error).__name__}): "
                    "is the server up?"
                ) from None

    async def _post(self, request: Prompt) -> httpx.Response:
        try:
            return await self._client.post(
                f"{self._endpoint.url.rstrip('/')}/chat/completions", json=self._body(request)
            )
        except (httpx.UnsupportedProtocol, httpx.InvalidURL):
            raise EngineError(f"endpoint {self._endpoint.url!r} is no address: write http://HOST:PORT/v1") from None

    def _body(self, request: Prompt) -> dict[str, Any]:
        sampling = request.sampling
        body: dict[str, Any] = {
            "model": self._endpoint.model,
            "messages": [{"role": message.role, "content": message.content} for message in request.messages],
            "max_tokens": sampling.max_tokens,
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "seed": request.seed % 2**31,
        }
        # Not part of the common protocol, so only sent when asked for.
        return (
            body
            | ({"top_k": sampling.top_k} if sampling.top_k else {})
            | ({"tools": list(request.tools)} if request.tools else {})
        )

    def _read(self, response: httpx.Response) -> Completion:
        where = f"{self._endpoint.url} (model {self._endpoint.model})"
        if response.status_code >= 400:
            raise EngineError(f"{where} answered {response.status_code}: {response.text[:300]}")
        try:
            choice = response.json()["choices"][0]
            text = _as_text(choice["message"])
        except (ValueError, LookupError, TypeError, AttributeError):
            raise EngineError(f"{where} did not answer in the OpenAI format: {response.text[:300]}") from None
        stop = "length" if choice.get("finish_reason") == "length" else "stop"
        return Completion(ids=(), logprobs=(), text=str(text), stop=stop)


def _as_text(message: Mapping[str, Any]) -> str:
    """The reply as a model writes it: calls that the server has parsed become markup again, for one reader of all."""
    parts = [message.get("content") or ""]
    for call in message.get("tool_calls") or ():
        name, arguments = json.dumps(call["function"]["name"]), call["function"].get("arguments") or "{}"
        parts.append(f'<tool_call>\n{{"name": {name}, "arguments": {arguments}}}\n</tool_call>')
    return "\n".join(part for part in parts if part)
