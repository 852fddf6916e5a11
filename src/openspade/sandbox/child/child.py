"""The confined side: K instances of one program, and their faults in words. Standard library only.

This file shares its process with hostile code, so nothing here is a wall: whatever it says is checked by the host.
"""

from __future__ import annotations

import builtins
import json
import linecache
import sys
import traceback
import types
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from openspade.sandbox.isolation.walls import INSIDES

MODULE_NAME = "environment_program"
_TRACEBACK_FRAMES = 4
_TRACEBACK_CHARS = 2000
_MESSAGE_CHARS = 500
_INFO_CHARS = 4096
_STEP_VALUES = 5
_FAULT_KINDS = {"BadReply": "contract", "ContractError": "contract", "TooLarge": "too_large"}
# What a text, and a whole row, take on the wire beyond their own bytes.
_TEXT_BYTES, _ROW_BYTES = 5, 64
_UTF8_MOST = 4

Fault = tuple[str, str, str]
Aside = tuple[Sequence[str], str, Fault | None]
Rows = tuple[list[str], list[float], list[int], dict[int, Aside]]


class BadReply(Exception):
    """The program answered something that is no observation, reward or plan."""


class TooLarge(Exception):
    """The program answered more than one instance may send."""


def gated_builtins(allowed: Iterable[str]) -> dict[str, Any]:
    """Builtins whose import and getattr say what is allowed: messages to learn from, not walls."""
    real_import = builtins.__import__
    names = sorted(allowed)
    roots = frozenset(names)

    def __import__(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:  # noqa: N807
        if level == 0 and (name in roots or name.partition(".")[0] in roots):
            return real_import(name, globals, locals, fromlist, level)
        raise ImportError(f"module {name!r} is not available to environments; allowed: {', '.join(names)}")

    real_getattr = builtins.getattr

    def getattr(subject: Any, name: Any, /, *default: Any) -> Any:
        if name in INSIDES:
            raise AttributeError(f"{name} is not for environments")
        return real_getattr(subject, name, *default)

    return {**vars(builtins), "__import__": __import__, "getattr": getattr}


def fault_of(error: BaseException) -> Fault:
    """The program's exception in words; survives exceptions whose own methods raise, and an exhausted memory."""
    kind = _FAULT_KINDS.get(type(error).__name__, "raised")
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


def _reported(info: Any, room: int) -> str:
    """An info dictionary as JSON text; what is not JSON or too long stays here."""
    if not info:
        return ""
    try:
        text = json.dumps(info, default=str)
    except (TypeError, ValueError, RecursionError):
        return ""
    return text if len(text) <= min(room, _INFO_CHARS) else ""


def _room_left(limit: int, text: str, results: Sequence[str] = ()) -> int:
    """Bytes of an instance's allowance that its words leave; the same whatever else the message carries."""
    characters = len(text) + sum(map(len, results))
    used = characters * _UTF8_MOST
    if used + _ROW_BYTES > limit:
        # Only long texts are worth the exact count.
        used = (
            sum(len(part.encode("utf-8", "replace")) for part in (text, *results))
            if characters <= limit
            else characters
        )
    used += _TEXT_BYTES * len(results) + _ROW_BYTES
    if used > limit:
        raise TooLarge(f"it answered {characters} characters, {used} bytes where {limit} may cross")
    return limit - used


class Unbegun:
    """An instance before its first reset."""

    def step(self, _action: Any) -> Any:
        raise BadReply("step() before reset()")

    def plan(self) -> Any:
        raise BadReply("plan() before reset()")


class Runner:
    """One program and its instances. A fault of one instance stays with that instance.

    Every episode runs the program anew, in a module of its own: no list, class or cache of the program outlives the
    episode or is seen by another, so that it knows neither its place among instances nor what was played before.
    What is opened `shared` runs once for all: to be caught keeping state there, or where it builds tables for seconds.
    """

    def __init__(
        self,
        *,
        contract: Any,
        allowed: Iterable[str],
        import_gate: bool,
        restart: Callable[[int], None],
        limit: int,
    ) -> None:
        self._contract = contract
        self._builtins = gated_builtins(allowed) if import_gate else vars(builtins)
        self._restart = restart
        self._limit = limit
        self._shared = False
        self._code: types.CodeType | None = None
        self._environment: Any = None
        self._finished = memoryview(bytearray(4)).cast("I")
        self._instances: list[Any] = []

    def count_in(self, finished: memoryview) -> None:
        """Where to count finished instances, for the host to read."""
        self._finished = finished

    def forget(self) -> None:
        """Nothing is left of the program that was played."""
        self._instances.clear()
        self._code = self._environment = None
        del linecache.cache[MODULE_NAME]

    def open(self, source: str, instances: int, shared: bool) -> tuple[str, Fault | None]:
        try:
            self._restart(0)
            linecache.cache[MODULE_NAME] = (len(source), None, source.splitlines(True), MODULE_NAME)
            self._code = compile(source, MODULE_NAME, "exec", dont_inherit=True)
            self._shared = shared
            self._environment = self._run_program()
            described = json.dumps(self._contract.describe(self._environment))
            _room_left(self._limit, described)
            self._environment()
            self._instances = [Unbegun()] * instances
        except BaseException as error:  # SystemExit and friends too: the program must not end the loop
            return "", fault_of(error)
        return described, None

    def _run_program(self) -> Any:
        """The environment class of a module made now. It is nowhere registered: the next one must not find it."""
        module = types.ModuleType(MODULE_NAME)
        module.__dict__["__builtins__"] = self._builtins.copy()
        sys.modules[MODULE_NAME] = module
        try:
            exec(self._code, module.__dict__)  # type: ignore[arg-type]
            return self._contract.load(module.__dict__)
        finally:
            sys.modules.pop(MODULE_NAME, None)

    def reset(self, indices: Sequence[int], seeds: Sequence[int]) -> Rows:
        def start(index: int, seed: int) -> tuple[Any, Any]:
            self._restart(seed)
            environment = self._environment if self._shared else self._run_program()
            instance = self._instances[index] = environment()
            answer = instance.reset(seed=seed)
            if type(answer) is tuple and len(answer) == 2:
                return answer
            raise BadReply(f"reset() must return (observation, info), not {type(answer).__name__}")

        texts: list[str] = []
        asides: dict[int, Aside] = {}
        for position, (index, seed) in enumerate(zip(indices, seeds, strict=True)):
            try:
                observation, info = start(index, seed)
                text, aside = self._long_answer(observation, info)
                if aside is not None:
                    asides[position] = aside
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
        short = self._limit // _UTF8_MOST - _ROW_BYTES
        for position, (index, action) in enumerate(zip(indices, actions, strict=True)):
            try:
                answer = instances[index].step(action)
                if type(answer) is not tuple or len(answer) != _STEP_VALUES:
                    raise BadReply("step() must return (observation, reward, terminated, truncated, info)")
                text, reward, terminated, truncated, info = answer
                # Nearly every answer is a short text and nothing else: no call is spent on it.
                if info or type(text) is not str or len(text) > short:
                    text, aside = self._long_answer(text, info)
                    if aside is not None:
                        asides[position] = aside
                reward = float(reward)
                end = (1 if terminated else 0) + (2 if truncated else 0)
            except BaseException as error:
                text, reward, end = "", 0.0, 0
                asides[position] = ((), "", fault_of(error))
            texts.append(text)
            rewards.append(reward)
            ends.append(end)
            finished[0] = (finished[0] + 1) & 0xFFFFFFFF
        return texts, rewards, ends, asides

    def _long_answer(self, observation: Any, info: Any) -> tuple[str, Aside | None]:
        text, results = _shown(observation)
        room = _room_left(self._limit, text, results)
        return text, (results, _reported(info, room), None) if results or info else None

    def _count_finished(self) -> None:
        self._finished[0] = (self._finished[0] + 1) & 0xFFFFFFFF

    def plan(self, indices: Sequence[int]) -> Rows:
        texts: list[str] = []
        asides: dict[int, Aside] = {}
        for position, index in enumerate(indices):
            try:
                text = json.dumps(list(self._instances[index].plan()))
                _room_left(self._limit, text)
            except BaseException as error:
                text = ""
                asides[position] = ((), "", fault_of(error))
            texts.append(text)
            self._count_finished()
        return texts, [], [], asides
