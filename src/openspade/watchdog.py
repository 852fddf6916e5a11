"""Ends a run that has stopped moving, and writes down what it was waiting for."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from openspade.engine.watched import Progress
from openspade.errors import RunError
from openspade.memory.database import append_event
from openspade.memory.memory import Memory

log = logging.getLogger(__name__)

STALL_FILE = "stall.txt"
CHECKS_A_TIMEOUT = 10


class Watchdog:
    """A thread that looks at the run's progress. After `timeout_s` without any it tells all and ends the process."""

    def __init__(self, progress: Progress, *, timeout_s: float, memory: Memory) -> None:
        self._progress = progress
        self._timeout_s = timeout_s
        self._directory = memory.run_directory
        self._database = memory.path
        self._cycle = 0

    def cycle(self, number: int) -> None:
        """A cycle begins."""
        self._cycle = number
        self._progress.advance()

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch the running event loop. With a timeout of 0 s nothing is watched."""
        if not self._timeout_s:
            yield
            return
        over = threading.Event()
        self._progress.advance()
        arguments = (over, asyncio.get_running_loop())
        threading.Thread(target=self._watch, args=arguments, name="watchdog", daemon=True).start()
        try:
            yield
        finally:
            over.set()

    def _watch(self, over: threading.Event, loop: asyncio.AbstractEventLoop) -> None:
        while not over.wait(self._timeout_s / CHECKS_A_TIMEOUT):
            if self._progress.idle_s() > self._timeout_s:
                self._end(loop)

    def _end(self, loop: asyncio.AbstractEventLoop) -> None:
        waiting = [f"{what} (for {seconds:.0f} s)" for what, seconds in self._progress.pending()]
        text = (
            f"nothing has moved for {self._progress.idle_s():.0f} s; waiting for "
            f"{', '.join(waiting) or 'nothing the engine was asked for'}. Stacks are in {STALL_FILE}; "
            "`openspade resume` goes on after the last whole cycle, run.stall_timeout_s sets the patience"
        )
        log.error("cycle %s: %s", self._cycle, text)
        stacks = f"{text}\n\n{stacks_of_threads()}\n{stacks_of_tasks(loop)}"
        try:
            (self._directory / STALL_FILE).write_text(stacks, encoding="utf-8")
            append_event(self._database, self._cycle, "stalled", text)
        finally:
            # The loop cannot be asked to leave: it may be what hangs. A cycle counts once committed.
            os._exit(RunError.exit_code)


def stacks_of_threads() -> str:
    """Where every thread stands."""
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    return "\n".join(
        f"thread {names.get(number, number)}:\n{''.join(traceback.format_stack(frame))}"
        for number, frame in sys._current_frames().items()  # pyright: ignore[reportPrivateUsage]
    )


def stacks_of_tasks(loop: asyncio.AbstractEventLoop) -> str:
    """Where every task waits; those that wait at the same place once, with their number."""
    places = Counter(_stack(task) for task in asyncio.all_tasks(loop))
    return "\n".join(f"{count} task(s):\n{place}" for place, count in places.most_common())


def _stack(task: asyncio.Task[object]) -> str:
    """The chain of awaits, outermost first; a suspended task's own stack shows only its first frame."""
    lines: list[str] = []
    awaited: object = task.get_coro()
    while (frame := getattr(awaited, "cr_frame", None)) is not None:
        lines.append(f"  {frame.f_code.co_filename}:{frame.f_lineno} in {frame.f_code.co_qualname}")
        awaited = getattr(awaited, "cr_await", None)
    return "\n".join([*lines, f"  waits for {type(awaited).__name__}\n"])
