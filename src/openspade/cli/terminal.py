"""What reaches the terminal. Text written by a policy or an environment is never trusted: it is shown, not obeyed."""

from __future__ import annotations

import json
import logging
import shutil
import sys
import unicodedata
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from openspade.runview.formats import finite


class Terminal(Console):
    """A console whose reader may leave: rich would end the program with 1, as if something had gone wrong."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


# Markup off: a design may be called "[link=...]"; styles come from Text objects only.
screen = Terminal(markup=False, highlight=False, emoji=False)
complaints = Terminal(stderr=True, markup=False, highlight=False, emoji=False)
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


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
    screen.file.write(json.dumps(finite(value), ensure_ascii=True) + "\n")
    screen.file.flush()
