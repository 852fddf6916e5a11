"""What a Tinker server is asked for, and what it answers."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from openspade.engine.training.grpo import Clip
from openspade.tokens import Prompt

Reduction = Literal["sum", "mean"]
"""A server's loss is the sum over a batch's tokens, or the mean of its rows' means (tokens of weight 0 included)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TokenRow:
    """A stream for the server: log-probs and advantages stand at each token but the first."""

    ids: tuple[int, ...]
    logprobs: tuple[float, ...]
    advantages: tuple[float, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """What an optimiser step reports: each row's log-probs before it, and the gradient's norm where it is told."""

    logprobs: Sequence[Sequence[float]]
    grad_norm: float | None


class Learner(Protocol):
    """The part of a server that learns."""

    async def forward(self, rows: Sequence[TokenRow]) -> list[list[float]]:
        """Each row's log-probs, its first token left out."""
        ...

    def step(self, rows: Sequence[TokenRow], loss: str, clip: Clip) -> Awaitable[Step]:
        """Hands in a gradient and the optimiser step after it, both at once; steps run in the order they came in."""
        ...

    async def first_logprobs(self, ids: tuple[int, ...]) -> list[float]:
        """Log-probs under the model as it was before training, the first token left out."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class ServerReply:
    """One reply as the server gives it. `ended` is False where it ran into `max_tokens`."""

    ids: tuple[int, ...]
    logprobs: tuple[float, ...]
    ended: bool


class TinkerServer(Learner, Protocol):
    """What the engine needs of a server: trained weights, and a copy of them that samples."""

    async def publish(self) -> None:
        """From now on `sample` answers with the weights as they are."""
        ...

    async def sample(self, request: Prompt, stop_ids: Sequence[int]) -> ServerReply: ...

    async def save(self, name: str) -> str:
        """Keeps weights and optimiser on the server; the path that `load` takes."""
        ...

    async def load(self, path: str) -> None: ...

    async def download(self, name: str, directory: Path) -> None:
        """The adapter as files for peft."""
        ...
