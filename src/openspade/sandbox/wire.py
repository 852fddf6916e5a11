"""What crosses the wall: frames on one socket, bodies in msgpack, decoded into exactly the expected shape.

Every byte from a child is hostile. A reply's strings that hold structure of their own (`description`, `plan`, `info`)
travel as JSON text, so that nothing untyped is decoded here.
"""

from __future__ import annotations

import struct
from typing import Any

import msgspec

HEADER = struct.Struct("<IIQ")
"""Length of the body, sequence number of the request, and a number the program cannot know."""

OPEN, RESET, STEP, PLAN = "open", "reset", "step", "plan"


class Fault(msgspec.Struct, array_like=True, frozen=True):
    """What the program did wrong, as `ProgramFault` has it."""

    kind: str
    message: str
    traceback: str


class Aside(msgspec.Struct, array_like=True, frozen=True):
    """What an instance says beyond text and reward; most say nothing. `position` counts instances of the message."""

    position: int
    results: list[str]
    info: str
    fault: Fault | None


class Hello(msgspec.Struct, array_like=True, frozen=True):
    """A child's first words: state of each wall as it sees it, "on" or why not."""

    walls: dict[str, str]


class Opened(msgspec.Struct, array_like=True, frozen=True):
    """The answer to OPEN; `description` is JSON text."""

    description: str
    fault: Fault | None
    prints: str


class Rows(msgspec.Struct, array_like=True, frozen=True):
    """The answer to RESET, STEP and PLAN, in columns; `ends` is 1 for terminated plus 2 for truncated.

    Only STEP has rewards and ends. The `texts` of a PLAN are JSON. `asides` come in the order of their positions.
    """

    texts: list[str]
    rewards: list[float]
    ends: list[int]
    asides: list[Aside]
    prints: str


encode = msgspec.msgpack.Encoder().encode
decode_request: Any = msgspec.msgpack.Decoder().decode
decode_hello = msgspec.msgpack.Decoder(Hello).decode
decode_opened = msgspec.msgpack.Decoder(Opened).decode
decode_rows = msgspec.msgpack.Decoder(Rows).decode


def without_surrogates(value: object) -> object:
    """The same request with every lone surrogate replaced by a question mark."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, (list, tuple)):
        return [without_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {without_surrogates(key): without_surrogates(item) for key, item in value.items()}
    return value
