"""The confined side: K instances of one program, and the loop that answers the host. Standard library only.

This file shares its process with hostile code, so nothing here is a wall: whatever it says is checked by the host.
"""

from __future__ import annotations

import builtins
import gc
import io
import json
import linecache
import math
import os
import struct
import sys
import traceback
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

WIRE_FD = 3
MODULE_NAME = "environment_program"
_HEADER = struct.Struct("<IIQ")
_READ_BYTES = 1 << 18
_TRACEBACK_FRAMES = 4
_TRACEBACK_CHARS = 2000
_MESSAGE_CHARS = 500
_INFO_CHARS = 4096
_STEP_VALUES = 5

Fault = tuple[str, str, str]
Aside = tuple[Sequence[str], str, Fault | None]
Rows = tuple[list[str], list[float], list[int], dict[int, Aside]]


class BadReply(Exception):
    """The program answered something that is no observation, reward or plan."""


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


def gated_builtins(allowed: Iterable[str]) -> dict[str, Any]:
    """Builtins whose import says what is allowed: a message to learn from, not a wall."""
    real_import = builtins.__import__
    names = sorted(allowed)
    roots = frozenset(names)

    def __import__(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:  # noqa: N807, PLR0913
        if level == 0 and name.split(".")[0] in roots:
            return real_import(name, globals, locals, fromlist, level)
        raise ImportError(f"module {name!r} is not available to environments; allowed: {', '.join(names)}")

    return {**vars(builtins), "__import__": __import__}


def fault_of(error: BaseException) -> Fault:
    """The program's exception in words; survives exceptions whose own methods raise, and an exhausted memory."""
    kind = "contract" if isinstance(error, BadReply) or type(error).__name__ == "ContractError" else "raised"
    try:
        message = str(error)[:_MESSAGE_CHARS]
    except BaseException:  # the program may have written __str__
        message = "(its text could not be read)"
    if kind == "raised":
        message = f"{type(error).__name__[:80]}: {message}" if message else type(error).__name__[:80]
    try:
        frames = traceback.format_exception(type(error), error, error.__traceback__, limit=-_TRACEBACK_FRAMES)
        trace = "".join(frames)[-_TRACEBACK_CHARS:]
    except BaseException:
        trace = ""
    return kind, message, trace


def _shown(observation: Any) -> tuple[str, Sequence[str]]:
    """Text and tool results of an observation."""
    if type(observation) is str:
        return observation, ()
    if type(observation) is dict and type(observation.get("text")) is str:
        results = observation.get("results", ())
        if type(results) in (list, tuple) and all(type(result) is str for result in results):
            return observation["text"], results
    if isinstance(observation, str):
        return str(observation), ()
    raise BadReply(f"an observation must be text, not {type(observation).__name__}")


def _reported(info: Any) -> str:
    """An info dictionary as JSON text; what is not JSON or too long stays here."""
    if not info:
        return ""
    try:
        text = json.dumps(info, default=str)
    except (TypeError, ValueError, RecursionError):
        return ""
    return text if len(text) <= _INFO_CHARS else ""


class Runner:
    """One program and its instances. A fault of one instance stays with that instance."""

    def __init__(
        self,
        *,
        contract: Any,
        allowed: Iterable[str],
        import_gate: bool,
        restart: Callable[[int], None],
        finished: memoryview,
    ) -> None:
        self._contract = contract
        self._allowed = tuple(allowed)
        self._import_gate = import_gate
        self._restart = restart
        self._finished = finished
        self._instances: list[Any] = []

    def open(self, source: str, instances: int) -> tuple[str, Fault | None]:
        try:
            self._restart(0)
            module = types.ModuleType(MODULE_NAME)
            sys.modules[MODULE_NAME] = module
            if self._import_gate:
                module.__dict__["__builtins__"] = gated_builtins(self._allowed)
            linecache.cache[MODULE_NAME] = (len(source), None, source.splitlines(True), MODULE_NAME)
            exec(compile(source, MODULE_NAME, "exec", dont_inherit=True), module.__dict__)
            environment = self._contract.load(module.__dict__)
            described = json.dumps(self._contract.describe(environment))
            self._instances = [environment() for _ in range(instances)]
        except BaseException as error:  # SystemExit and friends too: the program must not end the loop
            return "", fault_of(error)
        return described, None

    def reset(self, indices: Sequence[int], seeds: Sequence[int]) -> Rows:
        def start(index: int, seed: int) -> tuple[Any, Any]:
            self._restart(seed)
            answer = self._instances[index].reset(seed=seed)
            if type(answer) is tuple and len(answer) == 2:  # noqa: PLR2004
                return answer
            raise BadReply(f"reset() must return (observation, info), not {type(answer).__name__}")

        texts: list[str] = []
        asides: dict[int, Aside] = {}
        for position, (index, seed) in enumerate(zip(indices, seeds, strict=True)):
            try:
                observation, info = start(index, seed)
                text, results = _shown(observation)
                if results or info:
                    asides[position] = (results, _reported(info), None)
            except BaseException as error:
                text = ""
                asides[position] = ((), "", fault_of(error))
            texts.append(text)
            self._count_finished()
        return texts, [], [], asides

    def step(self, indices: Sequence[int], actions: Sequence[Any]) -> Rows:
        texts: list[str] = []
        rewards: list[float] = []
        ends: list[int] = []
        asides: dict[int, Aside] = {}
        instances, finished = self._instances, self._finished
        for position, (index, action) in enumerate(zip(indices, actions, strict=True)):
            text, reward, end = "", 0.0, 0
            try:
                answer = instances[index].step(action)
                if type(answer) is not tuple or len(answer) != _STEP_VALUES:
                    raise BadReply("step() must return (observation, reward, terminated, truncated, info)")
                observation, reward, terminated, truncated, info = answer
                text, results = _shown(observation)
                reward = float(reward)
                end = bool(terminated) + 2 * bool(truncated)
                if results or info:
                    asides[position] = (results, _reported(info), None)
            except BaseException as error:
                text, reward, end = "", 0.0, 0
                asides[position] = ((), "", fault_of(error))
            texts.append(text)
            rewards.append(reward)
            ends.append(end)
            finished[0] = (finished[0] + 1) & 0xFFFFFFFF
        return texts, rewards, ends, asides

    def _count_finished(self) -> None:
        self._finished[0] = (self._finished[0] + 1) & 0xFFFFFFFF

    def plan(self, indices: Sequence[int]) -> Rows:
        texts: list[str] = []
        asides: dict[int, Aside] = {}
        for position, index in enumerate(indices):
            try:
                texts.append(json.dumps(list(self._instances[index].plan())))
            except BaseException as error:
                texts.append("")
                asides[position] = ((), "", fault_of(error))
            self._count_finished()
        return texts, [], [], asides


def fitting(rows: Rows, limit: int) -> Rows:
    """The same rows without what cannot cross: lone surrogates are replaced, oversized texts become faults."""
    texts, rewards, ends, asides = rows
    kept: list[str] = []
    kept_asides: dict[int, Aside] = {}
    for position, text in enumerate(texts):
        results, info, fault = asides.get(position, ((), "", None))
        clean = [part.encode("utf-8", "replace") for part in (text, *results, *(fault or ()))]
        size = sum(map(len, clean)) + len(info)
        words = [part.decode() for part in clean]
        if size > limit:
            said = f"it answered {size} bytes where {limit} may cross"
            kept.append("")
            kept_asides[position] = ((), "", ("too_large", said, ""))
            continue
        kept.append(words[0])
        if position in asides:
            faulted = (words[-3], words[-2], words[-1]) if fault else None
            kept_asides[position] = (words[1 : 1 + len(results)], info, faulted)
    finite = [reward if math.isfinite(reward) else math.nan for reward in rewards]
    return kept, finite, ends, kept_asides


def serve(
    runner: Runner, *, settings: Mapping[str, Any], walls: Mapping[str, str], encode: Callable[[Any], bytes], decode: Any
) -> None:
    """Answers requests until the host hangs up; never returns."""
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


def _encoded_rows(encode: Callable[[Any], bytes], rows: Rows, printed: str, limit: int) -> bytes:
    room = limit * (len(rows[0]) + 1)
    try:
        body = encode((*rows, printed))
        if len(body) <= room:
            return body
    except (UnicodeEncodeError, TypeError, ValueError, RecursionError):
        pass
    # A quarter is left for the framing of many small strings.
    printed = printed.encode("utf-8", "replace").decode()[: limit // 8]
    return encode((*fitting(rows, limit * 3 // 4), printed))


def _encoded_opening(
    encode: Callable[[Any], bytes], described: str, fault: Fault | None, printed: str, limit: int
) -> bytes:
    if len(described) > limit:
        described, fault = "", ("too_large", f"its description takes {len(described)} bytes where {limit} may cross", "")
    words = [part.encode("utf-8", "replace").decode() for part in (printed, *(fault or ()))]
    return encode((described, tuple(words[1:]) if fault else None, words[0][: limit // 8]))


def _receive(decode: Any) -> tuple[int, int, Any]:
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
