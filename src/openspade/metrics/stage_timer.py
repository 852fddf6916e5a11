"""How long each stage of a cycle took."""

from __future__ import annotations

import time
from collections.abc import Mapping


class StageTimer:
    """Wall-clock seconds of each stage of a cycle."""

    def __init__(self) -> None:
        self._last = time.monotonic()
        self._seconds: dict[str, float] = {}

    def mark(self, stage: str) -> None:
        """The stage that ends now took the time since the last mark."""
        now = time.monotonic()
        self._seconds[f"seconds/{stage}"] = now - self._last
        self._last = now

    def metrics(self) -> dict[str, float]:
        return dict(self._seconds)

    def added_to(self, metrics: Mapping[str, float]) -> dict[str, float]:
        """All metrics of a cycle with these stages and the seconds of all its stages together."""
        whole = {**metrics, **self._seconds}
        return {**whole, "seconds/cycle": sum(value for name, value in whole.items() if name.startswith("seconds/"))}
