"""The promises an engine and its chat format keep; nothing above this layer asks which one it got."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from openspade.tokens import JSON, Completion, Message, Prompt, Sampling, TokenStream, Trajectory


@dataclass(frozen=True, kw_only=True, slots=True)
class Capabilities:
    """What an engine can do. `gathers` engines are fastest when all waiting requests come in one call."""

    learns: bool
    gathers: bool
    context_tokens: int


class Conversation(Protocol):
    """One chat, token-exact: what was sampled stays, only rendered text of new messages is appended."""

    def prompt(self, sampling: Sampling, seed: int) -> Prompt | None:
        """The next request, its `max_tokens` cut to what the context still holds; None when nothing is left.

        Raises ReplyRefused where a reply before it cannot be rendered.
        """
        ...

    def reply(self, completion: Completion) -> None:
        """Append what the policy answered, as sampled."""
        ...

    def tell(self, messages: Sequence[Message]) -> None:
        """Append what the other side says: user text, tool results."""
        ...

    def streams(self) -> tuple[TokenStream, ...]:
        """The conversation's tokens: one stream, or several where the template is not append-only. Never raises."""
        ...


class Chat(Protocol):
    """A model's chat template and tokenizer."""

    def start(self, messages: Sequence[Message], tools: Sequence[Mapping[str, JSON]] = ()) -> Conversation: ...

    def count(self, text: str) -> int:
        """Tokens of a text, template excluded."""
        ...


class Engine(Protocol):
    """One set of weights that samples and learns; both roles use it. `version` rises with every `learn()`."""

    @property
    def version(self) -> int: ...

    @property
    def chat(self) -> Chat: ...

    @property
    def capabilities(self) -> Capabilities: ...

    async def sample(self, requests: Sequence[Prompt]) -> list[Completion]: ...

    async def learn(self, trajectories: Sequence[Trajectory]) -> Mapping[str, float]: ...

    async def logprobs(self, streams: Sequence[TokenStream], *, reference: bool = False) -> list[list[float]]: ...

    async def save(self, directory: Path) -> None: ...

    async def load(self, directory: Path) -> None: ...
