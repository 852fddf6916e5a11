"""Plays the environments of this package. Standard library only; confined where OpenSPADE is installed.

    from PACKAGE.playing import Play, designs, instances

    play = Play("id of a design")
    print(play.begin(seed=0))
    print(play.move("an answer"))           # a game
    print(play.call("name of a tool", argument=3))    # a tool task
    play.close()

The score is a number from 0 to 1; an environment is solved when it ends with 1.
"""

from __future__ import annotations

import builtins
import importlib
import json
import random
import types
import warnings
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
CALLS_A_TURN = 4

GAME = (
    "You play a game in text. Read the rules in the first message, think about your move, and put the move itself in "
    "\\boxed{} at the end of each reply. Only what stands in the last \\boxed{} is played."
)
TASK = (
    "You work for a user by calling tools. Look values up rather than guessing them, do what the current request asks "
    "and nothing else, ask when a needed value is missing, and call `decline` when no tool can do what is asked. The "
    "next request follows when the current one is done."
)


class BrokenEnvironment(Exception):
    """The program itself failed: the episode says nothing about who played it, and should not be counted."""


class Unconfined(UserWarning):
    """Programs written by a model run in this very process."""


@dataclass(frozen=True)
class Moved:
    """What one action brought. `score` is what the episode is worth so far, `gained` how much of it came now."""

    text: str
    results: tuple[str, ...] = ()
    score: float = 0.0
    gained: float = 0.0
    terminated: bool = False
    truncated: bool = False

    @property
    def over(self) -> bool:
        return self.terminated or self.truncated

    @property
    def shown(self) -> str:
        """All that the player reads, as one text."""
        return "\n".join([*self.results, *filter(None, [self.text])])


def rows(name: str) -> list[dict[str, Any]]:
    """The lines of one of this package's JSONL files."""
    with (FOLDER / name).open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@cache
def designs() -> dict[str, dict[str, Any]]:
    """What is known of each design, by its id: provenance, skill, tools, turns."""
    return {row["id"]: row for row in rows("designs.jsonl")}


@cache
def instances() -> list[dict[str, Any]]:
    """The instances on which each design's own solution was seen to win: `design`, `seed`, `first_observation`."""
    return rows("instances.jsonl")


@cache
def hints() -> dict[str, str]:
    """The privileged hint of each design. Nothing here shows one unless it is asked for."""
    return {row["id"]: row["hint"] for row in rows("hints.jsonl")}


def opening(design: str, first_observation: str, *, hinted: bool = False) -> list[dict[str, str]]:
    """The messages with which an episode begins."""
    hint = f"\n\nHint: {hints()[design]}" if hinted else ""
    system = TASK if designs()[design]["kind"] == "tool" else GAME
    return [{"role": "system", "content": system}, {"role": "user", "content": first_observation + hint}]


class Play:
    """One environment, played an episode at a time.

    `confined` None plays behind OpenSPADE's walls where OpenSPADE is installed, and otherwise in this process, with
    an `Unconfined` warning. True refuses to play without walls, False never asks for them. `calls_are_turns` is for
    frameworks that hand over one call at a time: the limit of turns is four times as high.
    """

    def __init__(self, design: str, *, confined: bool | None = None, calls_are_turns: bool = False) -> None:
        if design not in designs():
            raise KeyError(f"there is no design {design!r}; there are {', '.join(designs())}")
        self.design = design
        self.facts = designs()[design]
        source = (FOLDER / "programs" / f"{design}.py").read_text(encoding="utf-8")
        self._program: Any = _open(source, confined)
        # Where each call is a turn of its own, a message of several must not cost the player the end.
        self.max_turns = self.facts["max_turns"] * (CALLS_A_TURN if calls_are_turns else 1)
        self._turns = 0
        self._score = 0.0
        self._over = True

    @property
    def over(self) -> bool:
        return self._over

    @property
    def score(self) -> float:
        return self._score

    @property
    def confined(self) -> bool:
        return not isinstance(self._program, _Here)

    @property
    def tools(self) -> list[dict[str, Any]]:
        """The tools' schemas, as OpenAI's functions."""
        return self.facts["tools"]

    def begin(self, seed: int) -> str:
        """The first observation of an instance."""
        text = self._program.reset(seed)
        self._turns, self._score, self._over = 0, 0.0, False
        return text

    def move(self, text: str) -> Moved:
        """A game's move; in a tool task, words to the user."""
        return self.step(text if self.facts["kind"] == "game" else {"text": text, "calls": []})

    def call(self, name: str, /, **arguments: Any) -> Moved:
        """One tool call."""
        return self.step({"text": "", "calls": [{"name": name, "arguments": arguments, "problem": ""}]})

    def step(self, action: Any) -> Moved:
        """One turn: a text in a game, `{"text", "calls"}` in a tool task. After the end nothing changes any more."""
        if self._over:
            return Moved(text="The episode is over.", score=self._score, terminated=True)
        text, results, score, terminated, truncated = self._program.step(action)
        self._turns += 1
        truncated = not terminated and (truncated or self._turns >= self.max_turns)
        score = min(max(float(score), 0.0), 1.0)
        gained, self._score = score - self._score, score
        self._over = terminated or truncated
        return Moved(text, tuple(results), score, gained, terminated, truncated)

    def solution(self) -> list[Any]:
        """Actions that solve the instance from its beginning."""
        return self._program.plan()

    def close(self) -> None:
        """Give the program's process back; harmless when repeated."""
        self._program.close()


def _open(source: str, confined: bool | None) -> Any:
    if confined is not False:
        try:
            bridge = importlib.import_module("openspade.interop.confined")
        except ImportError as error:
            if confined:
                raise RuntimeError("confined=True needs OpenSPADE: pip install openspade") from error
        else:
            return bridge.open_program(source, BrokenEnvironment)
    reason = "confined=False was asked for" if confined is False else "OpenSPADE is not installed"
    warnings.warn(
        f"{reason}: programs written by a model run in this process, without a sandbox. "
        "`pip install openspade` confines them.",
        Unconfined,
        stacklevel=3,
    )
    return _Here(source)


class _Here:
    """A program in this process."""

    def __init__(self, source: str) -> None:
        contract = importlib.import_module(f"{__package__}.openspade_env" if __package__ else "openspade_env")
        real = builtins.__import__

        def carried(name: str, *rest: Any) -> Any:
            # This package's own copy, whichever other copies there are in this process.
            return contract if name == "openspade_env" else real(name, *rest)

        module = types.ModuleType("environment_program")
        module.__dict__["__builtins__"] = {**vars(builtins), "__import__": carried}
        code = compile(source, "environment_program", "exec", dont_inherit=True)
        try:
            exec(code, module.__dict__)
            self._environment = contract.load(module.__dict__)()
        except Exception as error:
            raise BrokenEnvironment(f"{type(error).__name__}: {error}") from error

    def reset(self, seed: int) -> str:
        return _text(self._run(self._environment.reset, seed=seed)[0])

    def step(self, action: Any) -> tuple[str, list[str], float, bool, bool]:
        observation, score, terminated, truncated, _ = self._run(self._environment.step, action)
        results = observation.get("results", []) if isinstance(observation, dict) else []
        if not 0.0 <= score <= 1.0:
            raise BrokenEnvironment(f"a reward of {score!r}; rewards lie in [0, 1]")
        return _text(observation), list(results), score, bool(terminated), bool(truncated)

    def plan(self) -> list[Any]:
        return self._run(self._environment.plan)

    def close(self) -> None: ...

    def _run(self, method: Any, *arguments: Any, **named: Any) -> Any:
        # What it draws from the global generator must be the instance's, and the caller's must stay as it was.
        kept = random.getstate()
        try:
            random.seed(0)
            return method(*arguments, **named)
        except Exception as error:
            raise BrokenEnvironment(f"{type(error).__name__}: {error}") from error
        finally:
            random.setstate(kept)


def _text(observation: Any) -> str:
    return observation["text"] if isinstance(observation, dict) else observation
