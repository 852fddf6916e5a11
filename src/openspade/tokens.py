"""Words and tokens: what is asked of a policy, what it answers, and what it learns from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

JSON = None | bool | int | float | str | list["JSON"] | dict[str, "JSON"]
Role = Literal["designer", "agent"]


@dataclass(frozen=True, kw_only=True, slots=True)
class TokenStream:
    """Tokens exactly as seen and sampled: `written` is True where the policy sampled; log-probs are 0 elsewhere.

    The three are equally long.
    """

    ids: tuple[int, ...]
    written: tuple[bool, ...]
    logprobs: tuple[float, ...]

    def __post_init__(self) -> None:
        if not len(self.ids) == len(self.written) == len(self.logprobs):
            raise ValueError(
                f"a token stream of {len(self.ids)} ids has {len(self.written)} marks "
                f"and {len(self.logprobs)} log-probs"
            )


@dataclass(frozen=True, kw_only=True, slots=True)
class Trajectory:
    """Tokens of one role with the credit they earned."""

    role: Role
    stream: TokenStream
    advantage: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Message:
    """One chat message. An assistant's `content` is its reply verbatim, tool-call markup included."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Sampling:
    """How to sample: `max_tokens` bounds one reply; `top_k` 0 and `top_p` 1 are off."""

    max_tokens: int
    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Prompt:
    """A request for one completion: the exact ids, and the same conversation in words for engines that take words."""

    ids: tuple[int, ...]
    messages: tuple[Message, ...]
    tools: tuple[Mapping[str, JSON], ...] = ()
    sampling: Sampling
    seed: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Completion:
    """What the policy answered. `ids` include the end-of-turn token when `stop` is "stop"; `text` never does.

    `failure` is set where a server gave no answer, and quotes it; there is nothing else then.
    """

    ids: tuple[int, ...]
    logprobs: tuple[float, ...]
    text: str
    stop: Literal["stop", "length"]
    failure: str = ""
