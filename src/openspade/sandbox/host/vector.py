"""Many programs stepped side by side by one synchronous poll loop: for callers without an event loop of their own.

Where each child holds one instance, most of a step's cost is waking it and being woken. Here that is all: no task, no
future and no timer stands between a reply and the next request.
"""

from __future__ import annotations

import asyncio
import contextlib
import select
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from openspade.sandbox import wire
from openspade.sandbox.failures import ProgramFault, SandboxFailure
from openspade.sandbox.host.environment import SandboxedEnvironment
from openspade.sandbox.host.messages import Share, read_observations, read_steps, wire_actions
from openspade.sandbox.host.pool import SandboxPool
from openspade.sandbox.host.request_reply import decoded
from openspade.settings.worlds import SandboxConfig
from openspade.types import Action, Observation, StepResult

_TICK_MS = 20
_DEATH_REPORT_S = 2.0
Read = TypeVar("Read")


class VectorEnvironment:
    """One environment a program, `instances` of each. A lost child is a value in its program's place.

    `with` starts and ends the workers. Not for use where an event loop runs already: there is `SandboxPool`.
    """

    def __init__(
        self, config: SandboxConfig, sources: Sequence[str], *, instances: int = 1, numpy: bool = False
    ) -> None:
        self._config = config
        self._sources = tuple(sources)
        self._instances = instances
        self._numpy = numpy
        self._environments: list[SandboxedEnvironment] = []
        self._poll = select.poll()

    def __enter__(self) -> VectorEnvironment:
        self._runner = asyncio.Runner()
        self._pool = SandboxPool(self._config, numpy=self._numpy)
        try:
            self._runner.run(self._start())
        except BaseException:
            self.close()
            raise
        self._positions = {one.link.fileno(): at for at, one in enumerate(self._environments)}
        for fd in self._positions:
            self._poll.register(fd, select.POLLIN)
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._runner.run(self._pool.close())
        self._runner.close()

    async def _start(self) -> None:
        await self._pool.start()
        for source in self._sources:
            self._environments.append(await self._pool.open(source, self._instances))

    def reset(self, seeds: Sequence[Sequence[int]]) -> list[list[Observation | ProgramFault] | SandboxFailure]:
        """First observations: of each program, one for each of its seeds."""
        indices = list(range(self._instances))
        messages = {at: (wire.RESET, indices, list(of_program)) for at, of_program in enumerate(seeds)}
        return self._exchange(messages, read_observations)

    def step(self, actions: Sequence[Sequence[Action]]) -> list[list[StepResult | ProgramFault] | SandboxFailure]:
        """One turn of every instance of every program."""
        indices = list(range(self._instances))
        messages: dict[int, tuple[object, ...]] = {}
        for at, moves in enumerate(actions):
            kind = self._environments[at].description.kind
            messages[at] = (wire.STEP, indices, wire_actions(kind, moves))
        return self._exchange(messages, read_steps)

    def _exchange(
        self, messages: Mapping[int, tuple[object, ...]], read: Callable[[wire.Rows, Share], list[Read]]
    ) -> list[list[Read] | SandboxFailure]:
        answers: dict[int, list[Read] | SandboxFailure] = {}
        waiting: set[int] = set()
        for at, message in messages.items():
            try:
                self._begin(at, message)
                waiting.add(at)
            except SandboxFailure as failure:
                answers[at] = failure
        while waiting:
            for fd, _ in self._poll.poll(_TICK_MS):
                at = self._positions[fd]
                answer = self._collect(at, read)
                if answer is not None:
                    answers[at] = answer
                    waiting.discard(at)
            for at in self._overdue(waiting):
                answers[at] = self._reason(at)
                waiting.discard(at)
        return [answers[at] for at in messages]

    def _begin(self, at: int, message: tuple[object, ...]) -> None:
        environment = self._environments[at]
        bounds, count = environment.bounds, self._instances
        environment.link.begin(message, allowance=bounds.turns(count), frame_limit=bounds.frame(count))

    def _collect(self, at: int, read: Callable[[wire.Rows, Share], list[Read]]) -> list[Read] | SandboxFailure | None:
        link, share = self._environments[at].link, self._environments[at].bounds.share(self._instances)
        try:
            body = link.collect()
            return None if body is None else read(decoded(body, wire.decode_rows), share)
        except EOFError:
            return self._reason(at)
        except SandboxFailure as failure:
            link.kill(failure)
            self._forget(at)
            return failure

    def _overdue(self, waiting: set[int]) -> list[int]:
        for at in waiting:
            self._environments[at].link.check_deadline()
        return [at for at in waiting if not self._environments[at].link.alive]

    def _reason(self, at: int) -> SandboxFailure:
        """Why a child is lost; the zygote's report of its death may still be on its way."""
        link = self._environments[at].link
        self._forget(at)

        async def hear_of_it() -> None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(link.gone.wait(), _DEATH_REPORT_S)

        self._runner.run(hear_of_it())
        try:
            link.raise_if_lost()
        except SandboxFailure as failure:
            return failure
        raise AssertionError("a lost child without a reason")

    def _forget(self, at: int) -> None:
        for fd in [fd for fd, position in self._positions.items() if position == at]:
            self._poll.unregister(fd)
            del self._positions[fd]
