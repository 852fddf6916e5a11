"""The 400 environments of RLVE (`rlve-gym`) as one base class: the package itself makes, words and judges the question.

Importing this loads all of them, some five seconds, and all that they would import later: children can open no file.
"""

from __future__ import annotations

import importlib
import random
import sys
import types
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from openspade.given.verdicts import ScoredGame
from openspade.openspade_env import ContractError

_SEEDS = 2**31
_ATTEMPTS = 8
# Their first question makes sympy and numpy import half of themselves.
_LATE = ("Differentiate", "Integral", "PolynomialMinimum")


def _load() -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """RLVE's environments and their controllers by name."""
    # It imports torch for one thing, to seed it before questions that never use it.
    torch = types.ModuleType("torch")
    vars(torch).update(manual_seed=bool, cuda=types.SimpleNamespace(manual_seed_all=bool))
    sys.modules["torch"] = torch
    # It limits time by threads; here the sandbox does, and a child can start none.
    vars(importlib.import_module("Gym.environment"))["timeout"] = lambda _: lambda limited: limited
    environments = importlib.import_module("Gym.environments").identifier2environment
    controllers = importlib.import_module("Gym.parameter_controllers").identifier2controller
    del sys.modules["torch"]
    for name in _LATE:
        puzzle = environments[name]()
        puzzle.generator(0, controllers[name]().get_parameter_list()[0])
        puzzle.verifier(f"{puzzle.prompt_generator()}<answer>1</answer>")
    return environments, controllers


ENVIRONMENTS, CONTROLLERS = _load()


class Puzzle(ScoredGame):
    """A question of RLVE, won where its own verifier says so; `info` has the reward, -1 to 1, that it would pay."""

    environment: str = ""
    difficulty: int = 0
    """How often the environment's controller has made it harder: 0 is the easiest."""
    choice: int = 0
    """Which of the controller's sets of parameters, counted around: many have only one."""

    def start(self, rng: random.Random) -> str:
        """The first question that RLVE can make of a few seeds; for some parameters it finds none at times."""
        parameters = self._parameters()
        self._puzzle = ENVIRONMENTS[self.environment]()
        for _ in range(_ATTEMPTS):
            if self._puzzle.generator(rng.randrange(_SEEDS), parameters):
                return self._puzzle.prompt_generator()
        raise ContractError(f"RLVE made no question of {self.environment} at difficulty {self.difficulty}")

    def act(self, action: str) -> str:
        """RLVE's verdict on the answer; its markers may be left out."""
        said = self._judge(action)
        self.verdict = {"score": said["reward"]}
        return self.win("Right.") if said["accuracy"] else self.lose("Wrong.")

    def solution(self) -> list[str]:
        """RLVE's reference answer; some environments judge without one."""
        reference = self._puzzle.parameter.get("reference_answer")
        if reference is None:
            raise ContractError(f"RLVE knows no answer to its own question of {self.environment}")
        # Where there is nothing to do, the answer is empty, and only its markers tell it from none.
        return [str(reference) or "<answer></answer>"]

    def _parameters(self) -> dict[str, Any]:
        if self.environment not in CONTROLLERS:
            near = ", ".join(get_close_matches(self.environment, CONTROLLERS, n=3, cutoff=0.4))
            raise ContractError(f"RLVE has no environment {self.environment!r}; near it: {near or 'none'}")
        controller = CONTROLLERS[self.environment]()
        for _ in range(self.difficulty):
            controller.update()
        sets = controller.get_parameter_list()
        return sets[self.choice % len(sets)]

    def _judge(self, answer: str) -> dict[str, Any]:
        # A verifier may draw, too.
        random.seed(self._puzzle.seed)
        said = self._puzzle.verifier(answer)
        if said["accuracy"] or not answer.strip():
            return said
        # One environment of the 400 forgets the markers; all others see no answer without them.
        marked = self._puzzle.verifier(f"<answer>{answer}</answer>")
        return max(said, marked, key=lambda verdict: verdict["reward"])
