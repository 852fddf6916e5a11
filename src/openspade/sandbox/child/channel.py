"""The confined side's half of the wire: requests in, answers out, prints kept. Standard library only."""

from __future__ import annotations

import gc
import io
import os
import struct
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from openspade.sandbox.child.child import Aside, Fault, Rows, Runner

WIRE_FD = 3
_HEADER = struct.Struct("<IIQ")
# Nearly always a whole request; a larger buffer would be mapped and unmapped at every call.
_READ_BYTES = 1 << 16
_GC_THRESHOLD = 20_000

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


def readable(rows: Rows) -> Rows:
    """The same rows with every half of a character, which cannot cross, replaced by a question mark."""
    texts, rewards, ends, asides = rows

    def words(parts: Sequence[str]) -> list[str]:
        return [part.encode("utf-8", "replace").decode() for part in parts]

    clean: dict[int, Aside] = {}
    for position, (results, info, fault) in asides.items():
        kind, message, trace = words(fault) if fault else ("", "", "")
        clean[position] = (words(results), info, (kind, message, trace) if fault else None)
    return words(texts), rewards, ends, clean


def serve(
    runner: Runner, *, settings: Mapping[str, Any], walls: Mapping[str, str], encode: Encode, decode: Callable[..., Any]
) -> NoReturn:
    """Answers requests until the host hangs up."""
    prints = Prints(settings["log_chars"])
    sys.stdin, sys.stdout, sys.stderr = io.StringIO(), prints, prints
    answers: dict[str, Callable[..., Rows]] = {"reset": runner.reset, "step": runner.step, "plan": runner.plan}
    _send(0, 0, encode((dict(walls),)))
    # Each episode makes a module, whose classes are rings of objects: by default they would be looked for too often.
    gc.set_threshold(_GC_THRESHOLD)
    gc.enable()
    while True:
        sequence, nonce, request = _receive(decode)
        operation, *arguments = request
        if operation == "open":
            described, fault = runner.open(*arguments)
            body = _encoded_opening(encode, described, fault, prints.take())
        else:
            rows = answers[operation](*arguments)
            body = _encoded_rows(encode, rows, prints.take())
        _send(sequence, nonce, body)


def _encoded_rows(encode: Encode, rows: Rows, printed: str) -> bytes:
    try:
        return encode(_columns(rows, printed))
    except UnicodeEncodeError:
        return encode(_columns(readable(rows), printed.encode("utf-8", "replace").decode()))


def _columns(rows: Rows, printed: str) -> tuple[object, ...]:
    """A reply as it crosses."""
    texts, rewards, ends, asides = rows
    return texts, rewards, ends, [(position, *aside) for position, aside in asides.items()], printed


def _encoded_opening(encode: Encode, described: str, fault: Fault | None, printed: str) -> bytes:
    words = [part.encode("utf-8", "replace").decode() for part in (printed, *(fault or ()))]
    return encode((described, tuple(words[1:]) if fault else None, words[0]))


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
