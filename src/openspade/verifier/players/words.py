"""Words, numbers and quotations of a text, as players and gates read them."""

from __future__ import annotations

import re


def words_of(text: str) -> list[str]:
    """Words and numbers, in order."""
    return re.findall(r"[+-]?\d+(?:\.\d+)?|\w+", text)


def numbers_of(text: str) -> list[str]:
    """Numbers, in order, as they are spelt: 1,200 and 3e4 are one each."""
    return re.findall(r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]?\d+)?(?!\w)|[+-]?\d+(?:\.\d+)?", text)


def quotes_of(text: str) -> list[str]:
    """Texts in quotation marks, in order."""
    return re.findall(r"['\"`]([^'\"`]{1,60})['\"`]", text)
