"""Text that we did not write, on a page: shown, never obeyed."""

from __future__ import annotations

import html
import re


def printable(text: str, *, lines: bool = True) -> str:
    """The text without control and direction marks; `lines` keeps line breaks, else all of it stands on one line."""
    if not lines:
        return " ".join("".join(character if character.isprintable() else " " for character in text).split())
    return "".join(character if character.isprintable() or character in "\n\t" else "\ufffd" for character in text)


def escape(text: str) -> str:
    """Foreign text as plain words on one line of Markdown: no markup, no HTML, no control characters."""
    return re.sub(r"([\\`*_\[\]|#~!])", r"\\\1", html.escape(printable(text, lines=False), quote=False))


def fenced(text: str, language: str = "") -> str:
    """Foreign text as a block of Markdown code that it cannot end."""
    shown = printable(text)
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", shown)), default=0))
    return f"{fence}{language}\n{shown.rstrip()}\n{fence}"
