"""What the run waits for, and since when it has got nothing: what a watchdog looks at."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Progress:
    """Calls in flight and the time since the last one ended. One thread writes, another may read."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last = clock()
        self._numbers = itertools.count()
        self._pending: dict[int, tuple[str, float]] = {}

    @contextmanager
    def waiting_for(self, what: str) -> Iterator[None]:
        """Something is in flight; that it ends, well or badly, is progress."""
        number = next(self._numbers)
        self._pending[number] = (what, self._clock())
        try:
            yield
        finally:
            del self._pending[number]
            self.advance()

    def advance(self) -> None:
        """Something was done."""
        self._last = self._clock()

    def idle_s(self) -> float:
        """Seconds since anything was done."""
        return self._clock() - self._last

    def pending(self) -> list[tuple[str, float]]:
        """What is in flight, and for how many seconds, the oldest first."""
        now = self._clock()
        return sorted(((what, now - since) for what, since in self._pending.copy().values()), key=lambda item: -item[1])
