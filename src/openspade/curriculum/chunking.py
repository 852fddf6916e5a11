"""Long texts in pieces that fit a brief: whole paragraphs, a heading with what it heads."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from openspade.curriculum.lengths import fitting_end
from openspade.types import Document

_BLANK_LINE = re.compile(r"\n\s*\n")
_VISIBLE = re.compile(r"\S")
_HEADING = re.compile(r"#{1,6} |[^\n]+\n(?:={3,}|-{3,}|~{3,})\s*$")


def chunks(document: Document, limit: int, count: Callable[[str], int]) -> Iterator[Document]:
    """The document's pieces of at most `limit` tokens, in order, each with its own span; the whole one when it fits.

    A heading opens a new piece once the running one is half full.
    """
    if count(document.text) <= limit:
        yield document
        return
    spans = list(_paragraphs(document.text, limit, count))
    sizes = [count(document.text[start:end]) for start, end in spans]
    for number, (first, last) in enumerate(_packed(document.text, spans, sizes, limit)):
        start, end = spans[first][0], spans[last][1]
        origin = document.span[0]
        span = (origin + start, origin + end)
        yield replace(document, id=f"{document.id}#{number}", text=document.text[start:end], span=span)


def _paragraphs(text: str, limit: int, count: Callable[[str], int]) -> Iterator[tuple[int, int]]:
    for first, end in _between_blank_lines(text):
        start = _after_blanks(text, first, end)
        while start < end:
            cut = fitting_end(text, start, end, limit, count)
            yield start, cut
            start = _after_blanks(text, cut, end)


def _between_blank_lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _BLANK_LINE.finditer(text):
        yield start, match.start()
        start = match.end()
    yield start, len(text)


def _after_blanks(text: str, start: int, end: int) -> int:
    found = _VISIBLE.search(text, start, end)
    return found.start() if found else end


def _packed(text: str, spans: Sequence[tuple[int, int]], sizes: Sequence[int], limit: int) -> Iterator[tuple[int, int]]:
    """First and last paragraph of each piece."""
    first, filled = 0, 0
    for place, size in enumerate(sizes):
        heading = bool(_HEADING.match(text[spans[place][0] : spans[place][1]]))
        if place > first and (filled + size > limit or (heading and 2 * filled >= limit)):
            yield first, place - 1
            first, filled = place, 0
        filled += size
    if sizes:
        yield first, len(sizes) - 1
