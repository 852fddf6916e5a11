"""Courtesies to replays, not walls: entropy and clocks of a child follow the seed of its last reset.

`install` must run before anything imports `random`, which keeps a reference to `os.urandom`. Standard library only.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
from typing import Any

_EPOCH_S = 1_735_689_600.0
_TICK_S = 1e-3


class Determinism:
    """The one seeded stream behind `os.urandom`, unseeded generators and, if asked for, the clocks."""

    def __init__(self) -> None:
        self._seed = 0
        self._draws = 0
        self._elapsed_s = 0.0
        self._numpy: Any = None

    def restart(self, seed: int) -> None:
        """From here on everything looks as it did after the last restart with this seed."""
        self._seed, self._draws, self._elapsed_s = seed, 0, 0.0
        random = sys.modules.get("random")
        if random is not None:
            random.seed(seed)
        if self._numpy is not None:
            self._numpy.random.seed(seed & 0xFFFFFFFF)

    def install(self, *, virtual_clock: bool) -> None:
        if "random" in sys.modules:
            raise RuntimeError("determinism.install came after `import random`: its entropy is out of reach")
        os.urandom = self.urandom
        if virtual_clock:
            self._replace_clocks()
        import random  # noqa: PLC0415  (only now may it be imported)

        seed_as_told = random.Random.seed

        def seed(generator: random.Random, a: Any = None, version: int = 2) -> None:
            seed_as_told(generator, int.from_bytes(self.urandom(32), "big") if a is None else a, version)

        random.Random.seed = seed  # type: ignore[method-assign]

    def attach_numpy(self, numpy: Any) -> None:
        self._numpy = numpy

    def urandom(self, size: int, /) -> bytes:
        self._draws += 1
        return hashlib.shake_256(f"{self._seed}/{self._draws}".encode()).digest(size)

    def _tick(self, seconds: float = _TICK_S) -> float:
        self._elapsed_s += seconds
        return self._elapsed_s

    def _sleep(self, seconds: float, /) -> None:
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        self._tick(float(seconds))

    def _replace_clocks(self) -> None:
        def elapsed() -> float:
            return self._tick()

        def elapsed_ns() -> int:
            return round(self._tick() * 1e9)

        time.time = lambda: _EPOCH_S + self._tick()
        time.time_ns = lambda: round((_EPOCH_S + self._tick()) * 1e9)
        time.sleep = self._sleep
        for name in ("monotonic", "perf_counter", "process_time", "thread_time"):
            setattr(time, name, elapsed)
            setattr(time, f"{name}_ns", elapsed_ns)
