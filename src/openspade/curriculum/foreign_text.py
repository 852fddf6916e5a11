"""Files as they are: bytes of any encoding, values of any type, pointers to files that are elsewhere."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from openspade.errors import CorpusError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_POINTER = b"version https://git-lfs.github.com/spec/"
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_LOOKED_AT_BYTES = 4096
_LARGEST_NUMBER = 10**40
"""Greater ones, infinity and NaN label nothing."""


def encoding_of(start: bytes) -> str:
    """The encoding of a text that begins with these bytes: what its mark says, UTF-16 by its zero bytes, else UTF-8."""
    for mark, name in _MARKS:
        if start.startswith(mark):
            return name
    half = len(start) // 2
    for place, name in ((1, "utf-16-le"), (0, "utf-16-be")):
        if half and start[place::2].count(0) > 0.7 * half and start[1 - place :: 2].count(0) < 0.1 * half:
            return name
    return "utf-8"


def decoded(content: bytes) -> str | None:
    """The text of a file or a cell; None for what is no text. What does not fit the encoding becomes U+FFFD."""
    text = content.decode(encoding_of(content[:_LOOKED_AT_BYTES]), errors="replace")
    unreadable = text.count("\0") + text.count("\ufffd")
    return None if unreadable > 0.1 * len(text) else sound(text)


def sound(text: str) -> str:
    """The text as it can be written anywhere: a lone surrogate becomes U+FFFD."""
    return text if text.isascii() else _LONE_SURROGATE.sub("\ufffd", text)


def as_text(value: object) -> str | None:
    """A cell that should hold text: bytes are decoded, a list of texts is joined; None for what is no text."""
    match value:
        case str():
            return sound(value)
        case bytes():
            return decoded(value)
        case list() | tuple() if all(isinstance(part, str | bytes) for part in value):
            parts = [as_text(part) for part in value]
            return None if None in parts else "\n".join(filter(None, parts))
        case _:
            return None


def as_label(value: object) -> str:
    """A cell that only describes (an id, a source, a licence): '' for nothing, numbers and lists as text."""
    match value:
        case None | bool():
            return ""
        case str() | bytes():
            return as_text(value) or ""
        case int() | float():
            return str(value) if abs(value) < _LARGEST_NUMBER else ""
        case list() | tuple() if not any(isinstance(part, list | tuple | dict) for part in value):
            return ", ".join(filter(None, map(as_label, value)))
        case _:
            return ""


def content_of(path: Path) -> bytes:
    """A file's bytes. Raises CorpusError for a file that cannot be read, and for a pointer of Git LFS."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise CorpusError(f"{path} cannot be read: {error.strerror}") from None
    refuse_pointer(path, content[:_LOOKED_AT_BYTES])
    return content


def refuse_pointer(path: Path, start: bytes) -> None:
    """Raise CorpusError where a file begins like a pointer of Git LFS."""
    if start.startswith(_POINTER):
        raise CorpusError(f"{path} is a pointer of Git LFS, not the file: run `git lfs pull` in its repository first")
