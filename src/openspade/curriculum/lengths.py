"""How long a text is, and where it is cut: in words, also of languages written without blanks between them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

IDEOGRAPHS = "\u2e80-\u312f\u3190-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
"""Chinese and Japanese signs, with their punctuation: about two make a word."""
UNSPACED_LETTERS = "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u1a20-\u1aaf"
"""Thai, Lao, Tibetan, Burmese, Khmer and Tai Tham: about four signs make a word."""
LONGEST_WORD = 64
"""A run of more signs without a blank is no word (a dump): it counts as many words as it is times longer."""
_UNIT = re.compile(
    rf"[{IDEOGRAPHS}]{{1,2}}|[{UNSPACED_LETTERS}]{{1,4}}|[^\s{IDEOGRAPHS}{UNSPACED_LETTERS}]{{1,{LONGEST_WORD}}}"
)
_BORDERS = tuple(map(re.compile, (r"\n\s*\n", r"\n", r"(?<=[.!?])\s|(?<=[\u3002\uff01\uff1f])", r"\s")))
_FIRST_WINDOW = 8
"""Signs for a unit of length, at first: the window doubles until it holds more than the limit."""


def count_words(text: str) -> int:
    """A measure of length where no tokenizer is at hand: words between blanks, signs where no blanks are written."""
    words = text.split()
    if text.isascii() and (not words or max(map(len, words)) <= LONGEST_WORD):
        return len(words)
    return sum(1 for _ in _UNIT.finditer(text))


def cut_at_paragraph(text: str, limit: int, count: Callable[[str], int]) -> str:
    """The longest beginning of whole paragraphs within `limit`; lines, sentences and words where none fits."""
    return text[: fitting_end(text, 0, len(text), limit, count)]


def fitting_end(text: str, start: int, end: int, limit: int, count: Callable[[str], int]) -> int:
    """Where the piece ends that `cut_at_paragraph` would take from text[start:end]; the rest is not read."""
    size = _FIRST_WINDOW * limit
    while size < end - start and count(text[start : start + size]) <= limit:
        size *= 2
    window = text[start : min(end, start + size)]
    if len(window) == end - start and count(window) <= limit:
        return end
    for border in _BORDERS:
        ends = [match.start() for match in border.finditer(window)]
        kept = window[: _last_fitting(window, ends, limit, count)].rstrip()
        if kept:
            return start + len(kept)
    return start + (_last_fitting(window, range(1, len(window) + 1), limit, count) or 1)


def _last_fitting(text: str, ends: Sequence[int], limit: int, count: Callable[[str], int]) -> int:
    low, high = 0, len(ends)
    while low < high:
        middle = (low + high) // 2
        if count(text[: ends[middle]]) <= limit:
            low = middle + 1
        else:
            high = middle
    return ends[low - 1] if low else 0
