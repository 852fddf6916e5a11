"""Ctrl-C and SIGTERM: the first ends the run after its running cycle, the second ends it now."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class StopRequest:
    """Whether somebody asked to stop, and with which exit code the process should say so."""

    def __init__(self) -> None:
        self.exit_code = 0

    def __bool__(self) -> bool:
        return self.exit_code != 0


@contextmanager
def stop_on_signals(first: Callable[[], None], second: Callable[[], None]) -> Iterator[StopRequest]:
    """Call `first` at the first signal; at the next one call `second` and leave at once."""
    loop = asyncio.get_running_loop()
    request = StopRequest()

    def receive(number: int) -> None:
        if request:
            second()
            # A training step in a worker thread cannot be cancelled; leaving is safe, a cycle counts once committed.
            os._exit(128 + number)
        request.exit_code = 128 + number
        first()

    for number in SIGNALS:
        loop.add_signal_handler(number, receive, number)
    try:
        yield request
    finally:
        for number in SIGNALS:
            loop.remove_signal_handler(number)
