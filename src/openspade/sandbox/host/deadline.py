"""How long a child may take: CPU seconds for each instance, a wall-clock backstop, and one timer for a whole pool.

A message carries the turns of many instances, and each may use the limit. So that a hang is noticed after one limit and
not after all of them together, a child counts finished instances on a page it shares with the host. A hostile program
can count as it likes: no message gets more than one limit an instance.
"""

from __future__ import annotations

import asyncio
import mmap
import os
import time
from dataclasses import dataclass
from typing import Protocol

from openspade.sandbox.failures import DeadlineExceeded

_TICK_S = 0.02
_PAGE_BYTES = 4096
_COUNTER_BYTES = 4
_COUNTER_MASK = 0xFFFFFFFF


@dataclass(frozen=True, kw_only=True, slots=True)
class Allowance:
    """CPU and wall seconds for one instance, and how many instances the message names."""

    cpu_s: float
    wall_s: float
    instances: int = 1


class ProcessClock:
    """CPU seconds of one process; None where the kernel does not say."""

    def __init__(self, pid: int) -> None:
        # The kernel's name for "CPU time of that process".
        self._clock = (~pid << 3) | 2 if pid > 0 else None

    def now_s(self) -> float | None:
        if self._clock is None:
            return None
        try:
            return time.clock_gettime(self._clock)
        except OSError:
            return None


class ProgressPage:
    """The host's view of a child's counter of finished instances; `fd` goes to the child, then `hand_over`."""

    def __init__(self) -> None:
        self.fd = os.memfd_create("progress") if hasattr(os, "memfd_create") else -1
        self._page: mmap.mmap | None = None
        if self.fd >= 0:
            os.ftruncate(self.fd, _PAGE_BYTES)
            self._page = mmap.mmap(self.fd, _PAGE_BYTES, prot=mmap.PROT_READ)

    def hand_over(self) -> None:
        """The child has its copy of the descriptor."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def close(self) -> None:
        self.hand_over()
        if self._page is not None:
            self._page.close()
            self._page = None

    def finished(self) -> int:
        return int.from_bytes(self._page[:_COUNTER_BYTES], "little") if self._page is not None else 0


class Deadline:
    """One request's time. `overrun` is asked now and then, never at every step."""

    def __init__(self, allowance: Allowance, *, clock: ProcessClock, page: ProgressPage) -> None:
        self._allowance = allowance
        self._clock = clock
        self._page = page
        self._since_s = time.monotonic()
        # Read at the first look: most requests are answered before it, and asking the kernel costs like half a step.
        self._cpu_before_s: float | None = None
        self._looked = False
        self._first = self._seen = page.finished()
        self._renewals = allowance.instances - 1

    def overrun(self) -> DeadlineExceeded | None:
        """Why the child must be killed now. A busy machine does not time an honest child out: CPU seconds count."""
        if not self._looked:
            self._looked, self._cpu_before_s = True, self._clock.now_s()
        self._renew()
        wall_s = time.monotonic() - self._since_s
        if wall_s < self._allowance.cpu_s:
            return None
        now_s = self._clock.now_s()
        used_s = None if now_s is None or self._cpu_before_s is None else now_s - self._cpu_before_s
        over_cpu = used_s is not None and used_s >= self._allowance.cpu_s
        if not over_cpu and wall_s < self._allowance.wall_s:
            return None
        return DeadlineExceeded(cpu_s=used_s, wall_s=wall_s, position=self._seen - self._first)

    def _renew(self) -> None:
        """A finished instance hands the full limit to the next."""
        finished = (self._page.finished() - self._seen) & _COUNTER_MASK
        if 0 < finished <= self._renewals:
            self._renewals -= finished
            self._seen += finished
            self._since_s, self._cpu_before_s = time.monotonic(), self._clock.now_s()


class Watched(Protocol):
    def check_deadline(self) -> None: ...


class DeadlineTimer:
    """One clock for all outstanding requests of a pool: a timer per request would cost more than most steps."""

    def __init__(self) -> None:
        self._watched: set[Watched] = set()
        self._timer: asyncio.TimerHandle | None = None

    def watch(self, one: Watched) -> None:
        self._watched.add(one)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_TICK_S, self._tick)

    def forget(self, one: Watched) -> None:
        self._watched.discard(one)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._watched.clear()

    def _tick(self) -> None:
        self._timer = None
        for one in list(self._watched):
            one.check_deadline()
        if self._watched:
            self._timer = asyncio.get_running_loop().call_later(_TICK_S, self._tick)
