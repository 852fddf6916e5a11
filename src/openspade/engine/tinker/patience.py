"""Patience with a server, and its end: the `tinker` SDK alone would go on asking one that is gone for hours."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from openspade.errors import EngineError, OpenSpadeError

T = TypeVar("T")

LOOKS_A_TIMEOUT = 10


class Watch:
    """Waits for the server as long as it lives, and turns the SDK's errors into ours."""

    def __init__(self, alive: Callable[[], Awaitable[bool]], *, where: str, lost_after_s: float) -> None:
        self._alive = alive
        self._where = where
        self._lost_after_s = lost_after_s
        self._looking = asyncio.Lock()
        self._looked = self._seen = -float("inf")

    async def until(self, call: Awaitable[T]) -> T:
        """The call's result. Raises EngineError where it fails or the server stays silent for too long."""
        task, began = asyncio.ensure_future(call), time.monotonic()
        try:
            while not (await asyncio.wait({task}, timeout=self._lost_after_s / LOOKS_A_TIMEOUT))[0]:
                silent_s = time.monotonic() - max(began, await self._last_seen())
                if silent_s > self._lost_after_s:
                    raise EngineError(
                        f"{self._where} has given no sign of life for {silent_s:.0f} s; start it again, then "
                        "`openspade resume` goes on after the last whole cycle"
                    )
        finally:
            task.cancel()
        error = task.exception()
        if isinstance(error, OpenSpadeError):
            raise error
        if error:
            # The SDK's errors have no common base: ValueError, RuntimeError and private classes are among them.
            raise EngineError(f"{self._where}: {_explain(error)}") from error
        return task.result()

    async def _last_seen(self) -> float:
        """One look for all that wait."""
        async with self._looking:
            if time.monotonic() - self._looked > self._lost_after_s / LOOKS_A_TIMEOUT / 2:
                self._looked = time.monotonic()
                if await self._alive():
                    self._seen = time.monotonic()
            return self._seen


async def in_thread(call: Callable[[], T]) -> T:
    """A daemon thread of its own: a call that hangs must not hold up the end of the process."""
    loop = asyncio.get_running_loop()
    result: asyncio.Future[T] = loop.create_future()

    def settle(value: T | None, error: BaseException | None) -> None:
        if not result.done():
            result.set_exception(error) if error else result.set_result(value)  # pyright: ignore[reportArgumentType]

    def work() -> None:
        value, error = None, None
        try:
            value = call()
        except BaseException as raised:  # noqa: BLE001 - raised again in the waiting task
            error = raised
        loop.call_soon_threadsafe(settle, value, error)

    threading.Thread(target=work, name="tinker", daemon=True).start()
    return await result


def _explain(error: BaseException) -> str:
    status = getattr(error, "status_code", None)
    text = f"{type(error).__name__}: {str(error)[:400]}"
    if status in (401, 403):
        return f"it refuses the key in TINKER_API_KEY ({status})"
    if status == 404:
        return f"it no longer knows this run's weights (404); was it restarted? `openspade resume` loads them ({text})"
    return text
