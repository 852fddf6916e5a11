"""Hostile bytes: whatever a child sends, the host gets a typed answer or a ProtocolViolation, in bounded memory."""

from __future__ import annotations

import asyncio
import random
import resource
import socket
import time

import pytest

from openspade.sandbox import wire
from openspade.sandbox.host.deadline import Allowance, DeadlineTimer
from openspade.sandbox.host.link import ChildLink
from openspade.sandbox.host.messages import Share, read_observations, read_plans, read_steps
from openspade.sandbox.host.request_reply import RequestReply, decoded
from openspade.sandbox.host.sandboxed_environment import ProtocolViolation
from openspade.sandbox.isolation.walls import frame_limit

HONEST = (
    ["a", "b", "c"],
    [0.0, 0.5, 1.0],
    [0, 1, 2],
    [(1, ["r"], '{"x": 1}', None), (2, [], "", ("k", "m", "t"))],
    "p",
)
LIMIT = frame_limit(16_384, 3)


def answering(exchange: RequestReply, body: bytes) -> bytes:
    """`body` in a frame with the right sequence and nonce."""
    request = exchange.request(("step", [0, 1, 2], ["x"] * 3), frame_limit=LIMIT)
    _, sequence, nonce = wire.HEADER.unpack_from(request)
    return wire.HEADER.pack(len(body), sequence, nonce) + body


def mutated(rng: random.Random) -> bytes:
    """An honest reply with something wrong in it, or plain noise."""
    reply = list(HONEST)
    kind = rng.randrange(5)
    junk = rng.choice([None, -1, 2**63, 1e999, b"\xff", "x" * 5000, [], {}, [[]] * 50, {"a": 1}, True, {7: 7}])
    if kind == 0:
        reply[rng.randrange(5)] = junk
    elif kind == 1:
        reply = reply[: rng.randrange(6)] + [junk] * rng.randrange(3)
    elif kind == 2:
        column = list(HONEST[rng.randrange(3)])
        column[rng.randrange(3)] = junk
        reply[rng.randrange(3)] = column
    body = bytearray(wire.encode(reply))
    if kind == 3:
        for _ in range(rng.randrange(1, 6)):
            body[rng.randrange(len(body))] = rng.randrange(256)
    return rng.randbytes(rng.randrange(200)) if kind == 4 else bytes(body)


def test_fifteen_hundred_mutated_replies_raise_nothing_foreign() -> None:
    rng = random.Random(22)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    refused = 0
    for _ in range(1500):
        exchange, body = RequestReply(), mutated(rng)
        try:
            received = exchange.receive(answering(exchange, body))
            rows = decoded(received or b"", wire.decode_rows)
            for read in (read_steps, read_observations, read_plans):
                read(rows, Share(instances=3, bytes_each=16_384))
        except ProtocolViolation:
            refused += 1
    assert refused > 1000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000


def test_an_honest_reply_is_read_in_pieces() -> None:
    exchange = RequestReply()
    frame = answering(exchange, wire.encode(HONEST))
    assert [exchange.receive(frame[at : at + 1]) for at in range(len(frame) - 1)] == [None] * (len(frame) - 1)
    assert exchange.receive(frame[-1:]) == wire.encode(HONEST)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda frame: frame + b"x", "bytes after the reply"),
        (lambda frame: frame[:4] + b"\xff\xff\xff\xff" + frame[8:], "answers no request"),
        (lambda frame: frame[:8] + bytes(8) + frame[16:], "answers no request"),
        (lambda frame: b"\xff\xff\xff\x7f" + frame[4:], "a frame of 2147483647 bytes"),
    ],
)
def test_a_spoilt_frame_is_a_violation(spoil: object, message: str) -> None:
    exchange = RequestReply()
    frame = answering(exchange, wire.encode(HONEST))
    with pytest.raises(ProtocolViolation, match=message):
        exchange.receive(spoil(frame))  # type: ignore[operator]


def test_bytes_that_nobody_asked_for_are_a_violation() -> None:
    exchange = RequestReply()
    exchange.receive(answering(exchange, wire.encode(HONEST)))
    with pytest.raises(ProtocolViolation, match="nobody asked for"):
        exchange.receive(b"more")


@pytest.mark.parametrize("unit", [b"\x90", b"\x80", b"\xa0", b"\x00", b"\xc0", b"\x91"])
def test_a_reply_bomb_is_refused_or_small(unit: bytes) -> None:
    limit = frame_limit(16_384, 64)
    before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    for shell in (b"\x95\xdd" + (limit - 16).to_bytes(4, "big"), b"\xdd" + (limit - 16).to_bytes(4, "big"), b""):
        with pytest.raises(ProtocolViolation):
            read_steps(decoded(shell + unit * (limit - 16), wire.decode_rows), Share(instances=64, bytes_each=16_384))
    assert time.process_time() - began < 0.5
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000


@pytest.mark.parametrize("texts", [["a"], ["a"] * 4])
def test_an_answer_for_too_few_or_too_many_is_a_violation(texts: list[str]) -> None:
    rows = wire.Rows(texts=texts, rewards=[0.0] * len(texts), ends=[0] * len(texts), asides=[], prints="")
    with pytest.raises(ProtocolViolation, match="where 3 were asked"):
        read_steps(rows, Share(instances=3, bytes_each=16_384))


async def test_a_child_that_hangs_up_is_explained_by_the_zygotes_report() -> None:
    ours, theirs = socket.socketpair()
    link = ChildLink(data=ours, deadlines=DeadlineTimer(), kill_by_zygote=lambda: None)
    asked = asyncio.create_task(
        link.ask(("step",), wire.decode_rows, allowance=Allowance(cpu_s=5, wall_s=5), frame_limit=100)
    )
    await asyncio.sleep(0)
    theirs.close()
    # End of file is seen first; only the wait status says how the child died.
    for _ in range(3):
        await asyncio.sleep(0)
    link.bury(11)
    with pytest.raises(Exception, match="killed by SIGSEGV"):
        await asked


async def test_a_late_event_loop_does_not_kill_a_child_that_has_answered() -> None:
    ours, theirs = socket.socketpair()
    deadlines = DeadlineTimer()
    link = ChildLink(data=ours, deadlines=deadlines, kill_by_zygote=lambda: None)
    theirs.send(wire.HEADER.pack(2, 0, 0) + b"\x91\x80")
    asked = asyncio.create_task(link.hello(Allowance(cpu_s=0, wall_s=0)))
    await asyncio.sleep(0)
    link.check_deadline()
    await asked
    assert link.alive
    link.bury(0)
    theirs.close()
