"""Which mechanic and level a program of the nano world has: what a Designer wrote, read back from its title."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from openspade.types import Design

_TITLES: Mapping[str, tuple[str, Callable[[int], int]]] = {
    "sums": (r"Add (\d+) numbers", lambda count: count - 1),
    "sequence": (r"equal steps by (\d+)", lambda ahead: ahead),
    "clock": (r"hours (\d+) times", lambda moves: moves),
    "truth": (r"rows by (\d+) words", lambda words: words),
    "sorting": (r"Sort (\d+) numbers", lambda count: count - 3),
    "mirror": (r"Reverse (\d+) letters", lambda count: count - 2),
    "tally": (r"among (\d+) letters", lambda count: count - 3),
    "stack": (r"after (\d+) moves", lambda moves: moves - 3),
    "roads": (r"Follow (\d+) roads", lambda hops: hops - 1),
    "hidden": (r"Find a number among (\d+)", lambda width: (width - 41) // 10),
    "line": (r"for (\d+) turns", lambda turns: turns - 1),
    "prices": (r"Look up (\d+) prices", lambda count: count - 1),
    "fill": (r"litres and (\d+) more", lambda more: more),
    "ring": (r"Follow (\d+) bosses", lambda hops: hops),
}


def level_of(design: Design) -> tuple[str, int] | None:
    """A mechanic's name and the level that a design's title tells; None for a program of no mechanic."""
    for name, (pattern, level) in _TITLES.items():
        if found := re.search(pattern, design.title):
            return name, level(int(found[1]))
    return None
