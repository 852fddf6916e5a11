"""The confined side's half of the wire: requests in, answers out, prints kept. Standard library only."""

from __future__ import annotations

import gc
import io
import math
import os
import struct
import sys
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from openspade.sandbox.child import Aside, Fault, Rows, Runner

WIRE_FD = 3
_HEADER = struct.Struct("<IIQ")
# Nearly always a whole request; a larger buffer would be mapped and unmapped at every call.
_READ_BYTES = 1 << 16
_STRING_HEADER_BYTES, _ROW_BYTES = 5, 64
_NOTHING_ASIDE: Aside = ((), "", None)

Encode = Callable[[Any], bytes]


class Prints(io.TextIOBase):
    """The program's stdout and stderr: the first characters of each message are kept, the rest is dropped."""

    def __init__(self, limit: int) -> None:
        self._limit = self._left = limit
        self._parts: list[str] = []

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if self._left > 0:
            part = str(text)[: self._left]
            self._parts.append(part)
            self._left -= len(part)
        return len(text)

    def take(self) -> str:
        if self._left == self._limit:
            return ""
        text = "".join(self._parts)
        self._parts.clear()
        self._left = self._limit
        return text


def fitting(rows: Rows, limit: int) -> Rows:
    """The same rows without what cannot cross: lone surrogates are replaced, oversized texts become faults."""
    texts, rewards, ends, asides = rows
    kept: list[str] = []
    kept_asides: dict[int, Aside] = {}
    for position, text in enumerate(texts):
        word, aside = _fitting_row(text, asides.get(position, _NOTHING_ASIDE), limit)
        kept.append(word)
        if aside is not _NOTHING_ASIDE:
            kept_asides[position] = aside
    finite = [reward if math.isfinite(reward) else math.nan for reward in rewards]
    return kept, finite, ends, kept_asides


def _fitting_row(text: str, aside: Aside, limit: int) -> tuple[str, Aside]:
    results, info, fault = aside
    characters = len(text) + len(info) + sum(map(len, results))
    if characters <= limit:
        clean = [part.encode("utf-8", "replace") for part in (text, *results, *(fault or ()))]
        if sum(len(part) + _STRING_HEADER_BYTES for part in clean) + len(info) + _ROW_BYTES <= limit:
            words = [part.decode() for part in clean]
            faulted = (words[-3], words[-2], words[-1]) if fault else None
            return words[0], _NOTHING_ASIDE if aside is _NOTHING_ASIDE else (words[1 : 1 + len(results)], info, faulted)
    return "", ((), "", ("too_large", f"it answered {characters} characters; about {limit} may cross", ""))


def serve(
    runner: Runner, *, settings: Mapping[str, Any], walls: Mapping[str, str], encode: Encode, decode: Callable[..., Any]
) -> NoReturn:
    """Answers requests until the host hangs up."""
    prints = Prints(settings["log_chars"])
    sys.stdin, sys.stdout, sys.stderr = io.StringIO(), prints, prints
    limit: int = settings["instance_bytes"]
    answers: dict[str, Callable[..., Rows]] = {"reset": runner.reset, "step": runner.step, "plan": runner.plan}
    _send(0, 0, encode((dict(walls),)))
    gc.enable()
    while True:
        sequence, nonce, request = _receive(decode)
        operation, *arguments = request
        if operation == "open":
            described, fault = runner.open(*arguments)
            body = _encoded_opening(encode, described, fault, prints.take(), limit)
        else:
            rows = answers[operation](*arguments)
            body = _encoded_rows(encode, rows, prints.take(), limit)
        _send(sequence, nonce, body)


def _encoded_rows(encode: Encode, rows: Rows, printed: str, limit: int) -> bytes:
    room = limit * (len(rows[0]) + 1)
    try:
        body = encode((*rows, printed))
        if len(body) <= room:
            return body
    except (UnicodeEncodeError, TypeError, ValueError, RecursionError, MemoryError):
        pass  # what cannot be sent as it is, is sent as far as it can
    printed = printed.encode("utf-8", "replace").decode()[: limit // 8]
    return encode((*fitting(rows, limit), printed))


def _encoded_opening(encode: Encode, described: str, fault: Fault | None, printed: str, limit: int) -> bytes:
    if len(described) > limit:
        said = f"its description takes {len(described)} bytes where {limit} may cross"
        described, fault = "", ("too_large", said, "")
    words = [part.encode("utf-8", "replace").decode() for part in (printed, *(fault or ()))]
    return encode((described, tuple(words[1:]) if fault else None, words[0][: limit // 8]))


def _receive(decode: Callable[..., Any]) -> tuple[int, int, Any]:
    buffer = os.read(WIRE_FD, _READ_BYTES)
    while len(buffer) < _HEADER.size:
        buffer += _more()
    length, sequence, nonce = _HEADER.unpack_from(buffer)
    if len(buffer) < _HEADER.size + length:
        parts, missing = [buffer], _HEADER.size + length - len(buffer)
        while missing > 0:
            part = _more()
            parts.append(part)
            missing -= len(part)
        buffer = b"".join(parts)
    return sequence, nonce, decode(memoryview(buffer)[_HEADER.size :])


def _more() -> bytes:
    part = os.read(WIRE_FD, _READ_BYTES)
    if not part:
        os._exit(0)
    return part


def _send(sequence: int, nonce: int, body: bytes) -> None:
    rest = memoryview(_HEADER.pack(len(body), sequence, nonce) + body)
    while rest:
        rest = rest[os.write(WIRE_FD, rest) :]
