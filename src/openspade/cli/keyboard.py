"""A terminal that keeps typed keys to itself while a panel is drawn: an echoed `^C` would push the picture down."""

from __future__ import annotations

import sys
import termios
from typing import Any


class SilentKeyboard:
    """Turns the echo of the controlling terminal off and back on; does nothing where there is none."""

    def __init__(self) -> None:
        self._before: list[Any] | None = None

    def start(self) -> None:
        if not sys.stdin.isatty():
            return
        self._before = termios.tcgetattr(sys.stdin)
        silent = termios.tcgetattr(sys.stdin)
        silent[3] &= ~termios.ECHO
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, silent)

    def stop(self) -> None:
        """Give the terminal back as it was; harmless when repeated."""
        if self._before is not None:
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._before)
            self._before = None
