"""The environments with GEM's interface. GEM is not needed to run them: it asks for methods, not for a base class."""

from __future__ import annotations

import random
from typing import Any

from .playing import Play, designs, hints, instances
from .replies import boxed, written_calls

try:
    from gem.core import Env as _Base
except ImportError:
    _Base = object


NAMESPACE = "@{NAME}"


class TextEnvironment(_Base):
    """One design. A reply's move stands in its last `\\boxed{}`, a tool task's calls in `<tool_call>` tags."""

    def __init__(self, design: str, *, hinted: bool = False, confined: bool | None = None, seed: int = 0) -> None:
        super().__init__()
        self.design, self.hinted, self.confined = design, hinted, confined
        self.play = Play(design, confined=confined)
        self.seed = self.play.facts["seeds"][0]
        self._seeds = random.Random(seed)
        self._begun = False

    def reset(self, seed: int | None = None) -> tuple[str, dict[str, Any]]:
        """The instance of this seed; without one, an instance whose solution was seen to win."""
        known = [row["seed"] for row in instances() if row["design"] == self.design]
        self.seed = self._seeds.choice(known) if seed is None else seed
        text = self.play.begin(self.seed)
        self._begun = True
        hint = f"\n\nHint: {hints()[self.design]}" if self.hinted else ""
        return text + hint, {"suffix": "", "seed": self.seed, "tools": self.play.tools}

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        game = designs()[self.design]["kind"] == "game"
        turn = self.play.step(boxed(action) if game else written_calls(action))
        return turn.shown, turn.gained, turn.terminated, turn.truncated, {"suffix": "", "score": turn.score}

    def sample_random_action(self) -> str:
        return r"\boxed{" + str(self._seeds.randrange(100)) + "}"

    def spawn(self, same_state: bool = False, **options: Any) -> TextEnvironment:
        """Another one of the same design; `same_state` begins the same instance."""
        child = TextEnvironment(self.design, hinted=self.hinted, confined=self.confined)
        if same_state and self._begun:
            child.reset(self.seed)
        return child

    def close(self) -> None:
        self.play.close()


def register() -> list[str]:
    """Register every design with GEM; returns the names for `gem.make`."""
    from gem.envs.registration import ENV_REGISTRY
    from gem.envs.registration import register as known

    names = []
    for design, facts in designs().items():
        name = f"{NAMESPACE}:{facts['key']}"
        if name not in ENV_REGISTRY:
            known(name, f"{__package__}.environment:TextEnvironment", design=design)
        names.append(name)
    return names
