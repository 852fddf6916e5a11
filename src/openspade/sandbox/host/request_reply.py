"""One request, one reply: the rules of the wire, without any input or output of its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TypeVar

import msgspec

from openspade.sandbox import wire
from openspade.sandbox.failures import ProtocolViolation

HELLO_BYTES = 8192
_NONCE_BYTES = 8
_NONCES_AT_ONCE = 128
Reply = TypeVar("Reply")


def _nonces() -> Iterator[int]:
    """Numbers that the program cannot guess; entropy is drawn by the kilobyte."""
    while True:
        drawn = os.urandom(_NONCE_BYTES * _NONCES_AT_ONCE)
        for start in range(0, len(drawn), _NONCE_BYTES):
            yield int.from_bytes(drawn[start : start + _NONCE_BYTES], "little")


class RequestReply:
    """What one child may say, and when: at any foul byte `receive` raises a ProtocolViolation."""

    def __init__(self) -> None:
        self._nonces = _nonces()
        self._buffer = bytearray()
        self._sequence = 0
        self._nonce = 0
        self._frame_limit = HELLO_BYTES
        self._open = True  # the hello is the answer to being born

    def request(self, message: tuple[object, ...], *, frame_limit: int) -> bytes:
        """The bytes to send; from now on one reply of at most `frame_limit` bytes is due."""
        body = _encoded(message)
        self._sequence = (self._sequence + 1) & 0xFFFFFFFF
        self._nonce = next(self._nonces)
        self._frame_limit = frame_limit
        self._open = True
        return wire.HEADER.pack(len(body), self._sequence, self._nonce) + body

    def receive(self, part: bytes) -> bytes | None:
        """Takes what has arrived; the reply's body once it is whole."""
        if not self._open:
            raise ProtocolViolation("bytes that nobody asked for")
        if self._buffer:
            # A reply in many small pieces must not cost a copy of all of it for each.
            self._buffer += part
            end = self._end_of_frame(self._buffer)
        else:
            end = self._end_of_frame(part)
        if len(self._buffer or part) == end:
            whole = bytes(self._buffer) if self._buffer else part
            self._buffer.clear()
            self._open = False
            return whole[wire.HEADER.size :]
        if not self._buffer:
            self._buffer += part
        return None

    def _end_of_frame(self, received: bytes | bytearray) -> int:
        size = wire.HEADER.size
        if len(received) < size:
            return size
        length, sequence, nonce = wire.HEADER.unpack_from(received)
        if sequence != self._sequence or nonce != self._nonce:
            raise ProtocolViolation("a frame that answers no request")
        if length > self._frame_limit:
            raise ProtocolViolation(f"a frame of {length} bytes where {self._frame_limit} may cross")
        if len(received) > size + length:
            raise ProtocolViolation("bytes after the reply")
        return size + length


def decoded(body: bytes, decode: Callable[[bytes], Reply]) -> Reply:
    """The body as `decode` understands it; anything else is a ProtocolViolation."""
    try:
        return decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ProtocolViolation(f"an undecodable reply: {str(error)[:200]}") from None


def _encoded(message: tuple[object, ...]) -> bytes:
    try:
        return wire.encode(message)
    except UnicodeEncodeError:
        # A model's reply cut inside a character: half of it cannot be sent.
        return wire.encode(wire.without_surrogates(message))
