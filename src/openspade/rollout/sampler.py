"""How waiting episodes reach the engine: all in one call, or each at once."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Protocol

from openspade.engine.base import Engine
from openspade.tokens import Completion, Prompt


class Sampler(Protocol):
    """Episodes take a seat before any of them starts and leave when they end."""

    def seat(self, episodes: int) -> None: ...

    def leave(self, episodes: int = 1) -> None: ...

    async def sample(self, prompt: Prompt) -> Completion: ...


class Direct:
    """Every request goes out at once, at most `concurrency` in flight: for servers that batch by themselves."""

    def __init__(self, engine: Engine, concurrency: int) -> None:
        self._engine = engine
        self._permits = asyncio.Semaphore(concurrency)

    def seat(self, episodes: int) -> None: ...

    def leave(self, episodes: int = 1) -> None: ...

    async def sample(self, prompt: Prompt) -> Completion:
        async with self._permits:
            return (await self._engine.sample([prompt]))[0]


class Gathering:
    """One engine call as soon as every seated episode waits: full batches, and the same ones in every run.

    Which requests share a batch would otherwise depend on timing, and so would the last bits of their log-probs.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._seated = 0
        self._waiting: list[tuple[Prompt, asyncio.Future[Completion]]] = []
        self._calls: set[asyncio.Task[list[Completion]]] = set()

    def seat(self, episodes: int) -> None:
        self._seated += episodes

    def leave(self, episodes: int = 1) -> None:
        self._seated -= episodes
        self._call_when_all_wait()

    async def sample(self, prompt: Prompt) -> Completion:
        answer: asyncio.Future[Completion] = asyncio.get_running_loop().create_future()
        self._waiting.append((prompt, answer))
        self._call_when_all_wait()
        return await answer

    def _call_when_all_wait(self) -> None:
        if self._waiting and len(self._waiting) >= self._seated:
            batch = sorted(self._waiting, key=lambda item: item[0].seed)
            self._waiting = []
            call = asyncio.get_running_loop().create_task(self._engine.sample([prompt for prompt, _ in batch]))
            self._calls.add(call)
            call.add_done_callback(partial(self._deliver, [answer for _, answer in batch]))

    def _deliver(self, answers: list[asyncio.Future[Completion]], call: asyncio.Task[list[Completion]]) -> None:
        self._calls.discard(call)
        waiting = [answer for answer in answers if not answer.done()]
        if call.cancelled():
            for answer in waiting:
                answer.cancel()
        elif error := call.exception():
            for answer in waiting:
                answer.set_exception(error)
        else:
            for answer, completion in zip(answers, call.result(), strict=True):
                if not answer.done():
                    answer.set_result(completion)
