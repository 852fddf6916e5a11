"""A program behind the sandbox's walls for callers that do not wait: what every exported package plays with."""

from __future__ import annotations

import ast
import asyncio
import os
import threading
from collections.abc import Coroutine, Mapping
from concurrent.futures import Future
from typing import Any, TypeVar

from openspade.errors import OpenSpadeError
from openspade.sandbox.base import Environment
from openspade.sandbox.failures import ProgramFault, SandboxFailure
from openspade.sandbox.host.messages import wire_actions
from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.settings.worlds import SandboxConfig
from openspade.types import Action, ToolCall

Answer = TypeVar("Answer")
Turned = tuple[str, list[str], float, bool, bool]


class Loop:
    """An event loop in a thread of its own, and one sandbox for all programs of this process.

    Nothing is closed at the end: zygotes and children end when the process that asked for them hangs up.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._pools: dict[bool, SandboxPool] = {}
        self._starting = asyncio.Lock()
        threading.Thread(target=self._loop.run_forever, daemon=True, name="openspade-sandbox").start()

    def wait(self, coroutine: Coroutine[Any, Any, Answer]) -> Answer:
        """The coroutine's result, or what it raised."""
        future: Future[Answer] = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        return future.result()

    async def open(self, source: str) -> Environment:
        """The program in a child of its own."""
        numpy = imports_numpy(source)
        async with self._starting:
            if numpy not in self._pools:
                pool = SandboxPool(SandboxConfig(workers=1), numpy=numpy)
                await pool.start()
                self._pools[numpy] = pool
        return await self._pools[numpy].open(source)


class ConfinedProgram:
    """One program, an episode at a time. What the program does wrong is raised as `broken`."""

    def __init__(self, source: str, broken: type[Exception]) -> None:
        self._broken = broken
        self._loop = _loop()
        try:
            self._environment = self._loop.wait(self._loop.open(source))
        except SandboxFailure as failure:
            raise broken(str(failure)) from failure
        except OpenSpadeError as error:
            raise RuntimeError(f"{error}; confined=False plays without walls") from error

    @property
    def tools(self) -> list[Mapping[str, Any]]:
        return list(self._environment.description.tools)

    def reset(self, seed: int) -> str:
        """The first observation."""
        (first,) = self._ask(self._environment.reset([seed]))
        return self._sound(first).text

    def step(self, action: str | Mapping[str, Any]) -> Turned:
        """One turn: text, results, score, terminated, truncated."""
        result = self._sound(self._ask(self._environment.step({0: _action(action)}))[0])
        seen = result.observation
        return seen.text, list(seen.results), result.reward, result.terminated, result.truncated

    def plan(self) -> list[object]:
        """The solution's actions, as `step` takes them."""
        plan = self._sound(self._ask(self._environment.plan([0]))[0])
        return wire_actions(self._environment.description.kind, plan)

    def close(self) -> None:
        """End the program's process; harmless when repeated."""
        self._loop.wait(self._environment.close())

    def _ask(self, question: Coroutine[Any, Any, Answer]) -> Answer:
        try:
            return self._loop.wait(question)
        except SandboxFailure as failure:
            raise self._broken(str(failure)) from failure

    def _sound(self, answer: Answer | ProgramFault) -> Answer:
        if isinstance(answer, ProgramFault):
            raise self._broken(answer.message)
        return answer


def open_program(source: str, broken: type[Exception]) -> ConfinedProgram:
    """A program in a child of its own; RuntimeError where this machine cannot confine it."""
    return ConfinedProgram(source, broken)


def _action(action: str | Mapping[str, Any]) -> Action:
    if isinstance(action, str):
        return Action(text=action)
    calls = tuple(
        ToolCall(name=str(call["name"]), arguments=call["arguments"], problem=call.get("problem", ""))
        for call in action["calls"]
    )
    return Action(text=action["text"], calls=calls)


def imports_numpy(source: str) -> bool:
    """Whether a program needs a sandbox that has numpy."""
    if "numpy" not in source:
        return False
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    named = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    named |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    return any(name.partition(".")[0] == "numpy" for name in named)


_LOOPS: dict[int, Loop] = {}
_MAKING = threading.Lock()


def _loop() -> Loop:
    """This process's own: threads do not survive a fork."""
    with _MAKING:
        if os.getpid() not in _LOOPS:
            _LOOPS[os.getpid()] = Loop()
        return _LOOPS[os.getpid()]
