"""A scripted policy for tutorials and tests: it writes adding games of varied length and adds better with a hint.

The whole loop runs with it in a second, without torch, and gives the same bytes every time.
"""

from __future__ import annotations

import random
import re

from openspade.engine.scripted import ScriptedEngine
from openspade.tokens import Prompt

_PROGRAM = '''```python
from openspade_env import Game, same_answer


class AddNumbers(Game):
    """Add up {count} numbers from {low} to {high}."""

    skill = "mathematical reasoning"
    hint = "{hint}"
    max_turns = 1

    def start(self, rng):
        self.numbers = [rng.randint({low}, {high}) for _ in range({count})]
        return f"Add: {{self.numbers}}"

    def act(self, action):
        return self.win("Right.") if same_answer(action, sum(self.numbers), kind="number") else self.lose("Wrong.")

    def solution(self):
        return [str(sum(self.numbers))]
```'''
_HINTS = ("Add from left to right and keep a running total.", "Look twice before you answer.")
_BROKEN = "I would rather not write a program today."


def tutorial_engine(context_tokens: int) -> ScriptedEngine:
    """One draft in ten is no program; an addition of n numbers succeeds less often the longer it is."""
    return ScriptedEngine(tutorial_answer, context_tokens=context_tokens)


def tutorial_answer(prompt: Prompt) -> str:
    """What the scripted policy says: the same to the same prompt."""
    rng = random.Random(prompt.seed)
    said = prompt.messages[-1].content
    return _play(said, rng) if said.startswith("Add: ") else _design(rng)


def _design(rng: random.Random) -> str:
    if rng.random() < 0.1:
        return _BROKEN
    low = rng.randint(1, 50)
    return _PROGRAM.format(count=rng.randint(2, 9), low=low, high=low + rng.randint(20, 50), hint=rng.choice(_HINTS))


def _play(said: str, rng: random.Random) -> str:
    task, _, hint = said.partition("Hint:")
    numbers = [int(number) for number in re.findall(r"\d+", task)]
    chance = 1.1 - 0.1 * len(numbers) + (0.3 if "running total" in hint else 0.0)
    wrong = 0 if rng.random() < chance else rng.randint(1, 9)
    return rf"\boxed{{{sum(numbers) + wrong}}}"
