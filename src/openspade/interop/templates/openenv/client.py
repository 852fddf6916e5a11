"""A session on the server: `reset(design=..., seed=...)`, then `step(TextAction(text="..."))`."""

from __future__ import annotations

from typing import Any

from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server.types import State

try:
    from .models import TextAction, TextObservation
except ImportError:
    from models import TextAction, TextObservation


class TextEnv(EnvClient[TextAction, TextObservation, State]):
    """One episode at a time; each client has an environment of its own on the server."""

    def _step_payload(self, action: TextAction) -> dict[str, Any]:
        return action.model_dump(exclude={"metadata"})

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[TextObservation]:
        reward, done = payload.get("reward"), payload.get("done", False)
        seen = {name: value for name, value in payload.get("observation", {}).items() if name not in ("done", "reward")}
        return StepResult(observation=TextObservation(**seen, done=done, reward=reward), reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> State:
        return State(episode_id=payload.get("episode_id"), step_count=payload.get("step_count", 0))
