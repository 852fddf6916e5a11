"""What reaches the terminal. Text written by a policy or an environment is never trusted: it is shown, not obeyed."""

from __future__ import annotations

import json
import logging
import math
import shutil
import sys
import unicodedata
from collections.abc import Mapping, Sequence
from itertools import pairwise

from rich.console import Console
from rich.text import Text

# Markup off: a design may be called "[link=...]"; styles come from Text objects only.
screen = Console(markup=False, highlight=False, emoji=False)
complaints = Console(stderr=True, markup=False, highlight=False, emoji=False)

_SPARKS = "▁▂▃▄▅▆▇█"


class EventLog(logging.Handler):
    """Log lines to standard error as it is now: a live panel puts its own in its place, so that lines stay above it."""

    def emit(self, record: logging.LogRecord) -> None:
        sys.stderr.write(plain(self.format(record)) + "\n")


def plain(text: str, *, lines: bool = True) -> str:
    """The text without anything a terminal would obey: escapes, bells, direction marks; `lines` keeps line breaks."""
    kept = "\n\t" if lines else ""
    return "".join(
        character
        if character in kept or unicodedata.category(character)[0] != "C"
        else " "
        if character in "\n\t\r"
        else "�"
        for character in text
    )


def one_line(text: str, width: int) -> str:
    """The text's first words on one line of at most `width` characters."""
    joined = " ".join(plain(text, lines=False).split())
    return joined if len(joined) <= width else joined[: width - 1].rstrip() + "…"


def own_command() -> str:
    """How this program was called, so that what is suggested can be typed."""
    if shutil.which("openspade"):
        return "openspade"
    return "python -m openspade" if sys.argv[0].endswith("__main__.py") else sys.argv[0]


def show(text: str = "", *, style: str = "") -> None:
    """Print foreign or own text as it stands, wrapped to the terminal."""
    screen.print(Text(plain(text), style=style))


def show_json(value: object) -> None:
    """Print one line of JSON for a machine; what is not a finite number is null."""
    # Not through rich: a line for a machine is never wrapped.
    screen.file.write(json.dumps(_finite(value), ensure_ascii=True) + "\n")
    screen.file.flush()


def sparkline(values: Sequence[float], width: int) -> str:
    """The course of a figure in `width` characters, each the mean of its share, from lowest to highest."""
    known = [value for value in values if math.isfinite(value)]
    if len(known) < 2:
        return ""
    columns = min(width, len(known))
    edges = [round(index * len(known) / columns) for index in range(columns + 1)]
    means = [sum(known[a:b]) / (b - a) for a, b in pairwise(edges)]
    low, high = min(means), max(means)
    scale = (len(_SPARKS) - 1) / (high - low) if high > low else 0.0
    return "".join(_SPARKS[round((mean - low) * scale)] for mean in means)


def duration(seconds: float) -> str:
    """A time span in the two units that matter."""
    if seconds < 60:
        return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, left = divmod(minutes, 60)
    return f"{hours} h {left} min" if hours else f"{minutes} min {rest} s"


def _finite(value: object) -> object:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value
