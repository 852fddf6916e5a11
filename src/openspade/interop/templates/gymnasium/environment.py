"""The environments with Gymnasium's interface: `gymnasium.make("NAME/KEY-v0")`, registered when this is imported."""

from __future__ import annotations

import json
import string
from typing import Any, ClassVar

import gymnasium
from gymnasium import spaces

from .playing import Play, designs, hints, instances
from .replies import called

NAMESPACE = "@{NAME}"
MAX_CHARACTERS = 200_000


class Texts(spaces.Text):
    """Any text up to a length. Samples are printable; what contains them is not limited to an alphabet."""

    def __init__(self, max_length: int = MAX_CHARACTERS) -> None:
        super().__init__(max_length, min_length=0, charset=frozenset(string.printable))

    def contains(self, x: Any) -> bool:
        return isinstance(x, str) and len(x) <= self.max_length


class TextEnvironment(gymnasium.Env[str, str]):
    """One design. In a tool task an action is JSON: `{"name": ..., "arguments": {...}}`, a list of them, or words.

    Rewards are what a step gained, so that their sum is the score. `info` has `score`, `hint`ed or not, and `tools`.
    """

    metadata: ClassVar = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self, design: str, render_mode: str | None = None, *, hinted: bool = False, confined: bool | None = None
    ) -> None:
        self.design = design
        self.render_mode = render_mode
        self.hinted = hinted
        self.observation_space = Texts()
        self.action_space = Texts(4_000)
        self.play = Play(design, confined=confined)
        self._seeds = [row["seed"] for row in instances() if row["design"] == design]
        self._shown = ""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """The instance of this seed; without one, an instance whose solution was seen to win."""
        super().reset(seed=seed)
        chosen = self._seeds[int(self.np_random.integers(len(self._seeds)))] if seed is None else seed
        self._shown = self.play.begin(chosen)
        if self.hinted:
            self._shown += f"\n\nHint: {hints()[self.design]}"
        return self._shown, {"design": self.design, "seed": chosen, "score": 0.0, "tools": self.play.tools}

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """One turn; a program that fails raises `playing.BrokenEnvironment`."""
        turn = self.play.step(self.read(action))
        self._shown = turn.shown
        return turn.shown, turn.gained, turn.terminated, turn.truncated, {"score": turn.score}

    def read(self, action: str) -> Any:
        """What an action means to the program."""
        if designs()[self.design]["kind"] == "game":
            return action
        try:
            read = json.loads(action)
        except ValueError:
            return {"text": action, "calls": []}
        calls = read if isinstance(read, list) else [read]
        if not calls or not all(isinstance(call, dict) and isinstance(call.get("name"), str) for call in calls):
            return {"text": action, "calls": []}
        return {"text": "", "calls": [called(call["name"], call.get("arguments", {})) for call in calls]}

    def write(self, action: Any) -> str:
        """An action of `self.play.solution()` as this environment's `step` takes it."""
        if isinstance(action, str):
            return action
        calls = [{"name": call["name"], "arguments": call["arguments"]} for call in action["calls"]]
        return json.dumps(calls) if calls else action["text"]

    def render(self) -> str | None:
        return self._shown if self.render_mode == "ansi" else None

    def close(self) -> None:
        self.play.close()


def register() -> list[str]:
    """Register every design; returns the names for `gymnasium.make`."""
    names = []
    for design, facts in designs().items():
        name = f"{NAMESPACE}/{facts['key']}-v0"
        if name not in gymnasium.registry:
            entry = f"{__package__}.environment:TextEnvironment"
            gymnasium.register(name, entry_point=entry, kwargs={"design": design}, disable_env_checker=True)
        names.append(name)
    return names


NAMES = register()
