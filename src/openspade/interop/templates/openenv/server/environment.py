"""One session: whichever design and seed a reset names."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import State

try:
    from ..environments.playing import Moved, Play, designs, hints
    from ..environments.replies import called
    from ..models import TextAction, TextObservation
except ImportError:
    from environments.playing import Moved, Play, designs, hints
    from environments.replies import called
    from models import TextAction, TextObservation


class TextEnvironment(Environment):
    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._state = State(episode_id=str(uuid4()), step_count=0)
        self._play: Play | None = None
        self._seed = 0

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        design: str | None = None,
        hinted: bool = False,
        confined: bool | None = None,
        **_: Any,
    ) -> TextObservation:
        """Begin an instance: the first design and its first seed where none is named."""
        name = design or next(iter(designs()))
        if self._play is None or self._play.design != name:
            self.close()
            self._play = Play(name, confined=confined)
        self._seed = self._play.facts["seeds"][0] if seed is None else seed
        self._state = State(episode_id=episode_id or str(uuid4()), step_count=0)
        text = self._play.begin(self._seed)
        if hinted:
            text += f"\n\nHint: {hints()[name]}"
        return self._observation(Moved(text), tools=self._play.tools)

    def step(self, action: TextAction, timeout_s: float | None = None, **_: Any) -> TextObservation:
        if self._play is None:
            self.reset()
        self._state.step_count += 1
        calls = [called(call.name, call.arguments) for call in action.calls]
        game = self._play.facts["kind"] == "game"
        return self._observation(self._play.step(action.text if game else {"text": action.text, "calls": calls}))

    @property
    def state(self) -> State:
        return self._state

    def close(self) -> None:
        if self._play is not None:
            self._play.close()
            self._play = None

    def _observation(self, turn: Moved, tools: list[dict[str, Any]] | None = None) -> TextObservation:
        return TextObservation(
            text=turn.text,
            results=list(turn.results),
            score=turn.score,
            reward=turn.gained,
            done=turn.over,
            design=self._play.design,
            seed=self._seed,
            kind=self._play.facts["kind"],
            tools=tools or [],
            metadata={"truncated": turn.truncated},
        )
