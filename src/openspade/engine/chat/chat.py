"""Conversations in exact tokens: what was sampled stays as sampled, and only what is new is rendered and appended."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal, Protocol

from openspade.engine.chat.template import Renderer, Template, Tools
from openspade.errors import EngineError, ReplyRefused
from openspade.tokens import Completion, Message, Prompt, Sampling, TokenStream


class Tokenizer(Protocol):
    """Text to ids and back. Special tokens are read from their text; nothing is added, nothing is dropped."""

    def encode(self, text: str) -> list[int]: ...

    def decode(self, ids: Sequence[int]) -> str: ...

    def special_ids(self) -> Mapping[str, int]:
        """The special tokens by their text."""
        ...


class TemplateChat:
    """A tokenizer with a chat template.

    `stop_ids` end a reply: the model's own and the one the template writes, unless that only ends a part of a reply.
    """

    def __init__(
        self, tokenizer: Tokenizer, template: Template, *, context_tokens: int, stop_ids: Iterable[int] = ()
    ) -> None:
        self.tokenizer = tokenizer
        self.renderer = Renderer(template)
        self.context_tokens = context_tokens
        own = set(stop_ids)
        self.end_of_turn = _end_of_turn(self.renderer, tokenizer)
        if own and self.end_of_turn not in own and _replies_in_parts(self.renderer, tokenizer):
            self.end_of_turn = None  # it separates parts of one reply, and the model names its ends itself
        ends = own | ({self.end_of_turn} if self.end_of_turn is not None else set())
        if not ends:
            raise EngineError(
                "the model names no end-of-turn token and its chat template writes none; replies would never end"
            )
        self.stop_ids = frozenset(ends)
        self._anchor = self.end_of_turn if self.end_of_turn is not None else min(ends)

    def with_context(self, context_tokens: int) -> TemplateChat:
        """The same chat, with conversations of at most so many tokens."""
        return TemplateChat(
            self.tokenizer, self.renderer.template, context_tokens=context_tokens, stop_ids=self.stop_ids
        )

    def start(self, messages: Sequence[Message], tools: Tools = ()) -> TemplateConversation:
        return TemplateConversation(self, messages, tools)

    def count(self, text: str) -> int:
        """Tokens of a text, template excluded."""
        return len(self.tokenizer.encode(text))

    def encode_after(self, last: int, text: str) -> list[int]:
        """Ids of a text that follows a token: some tokenizers treat the very first word of a text differently."""
        anchor = self._anchor if last not in self.stop_ids else last
        ids = self.tokenizer.encode(self.tokenizer.decode([anchor]) + text)
        return ids[1:] if ids[:1] == [anchor] else self.tokenizer.encode(text)

    def decode_after(self, ids: Sequence[int]) -> str:
        """The text of ids in the middle of a stream: some tokenizers drop the blank of a text's first word."""
        head = self.tokenizer.decode([self._anchor])
        text = self.tokenizer.decode([self._anchor, *ids])
        return text.removeprefix(head)

    def completion(self, ids: Sequence[int], logprobs: Sequence[float], stop: Literal["stop", "length"]) -> Completion:
        """Sampled ids as a completion; with `stop` the last id is the end of the turn and not part of the text."""
        text = self.decode_after(ids[:-1] if stop == "stop" else ids)
        return Completion(ids=tuple(ids), logprobs=tuple(logprobs), text=text, stop=stop)


class TemplateConversation:
    """One chat, token-exact. Where the template rewrites what was sampled, a new stream begins."""

    def __init__(self, chat: TemplateChat, messages: Sequence[Message], tools: Tools) -> None:
        self._chat = chat
        self._messages = list(messages)
        self._tools = tuple(tools)
        # `_rendered` is the template's text for the current stream, without the reply that still waits to be rendered.
        self._rendered = ""
        self._reply: Completion | None = None
        self._untold = True
        self._ids: list[int] = []
        self._written: list[bool] = []
        self._logprobs: list[float] = []
        self._closed: list[TokenStream] = []

    def prompt(self, sampling: Sampling, seed: int) -> Prompt | None:
        """The next request, its `max_tokens` cut to what the context still holds; None when nothing is left."""
        self._render(reply_next=True)
        room = self._chat.context_tokens - len(self._ids)
        if room <= 0:
            return None
        return Prompt(
            ids=tuple(self._ids),
            messages=tuple(self._messages),
            tools=self._tools,
            sampling=replace(sampling, max_tokens=min(sampling.max_tokens, room)),
            seed=seed,
        )

    def reply(self, completion: Completion) -> None:
        """Append what the policy answered, as sampled."""
        self._messages.append(Message(role="assistant", content=completion.text))
        self._append(completion.ids, written=True, logprobs=completion.logprobs)
        self._reply = completion

    def tell(self, messages: Sequence[Message]) -> None:
        """Append what the other side says; it is rendered with the next prompt, or at the end."""
        self._messages.extend(messages)
        self._untold = True

    def streams(self) -> tuple[TokenStream, ...]:
        """The conversation's tokens so far, one stream where the template only ever appends.

        A last message that would open a new stream, or that the template refuses, is left out: no reply follows it.
        """
        if self._untold and self._ids:
            with contextlib.suppress(ReplyRefused):
                self._untold = self._extend(self._text(reply_next=False)) is None
        return (*self._closed, self._current()) if any(self._written) else tuple(self._closed)

    def _render(self, *, reply_next: bool) -> None:
        text = self._text(reply_next=reply_next)
        if self._extend(text) is None:
            if any(self._written):
                self._closed.append(self._current())
            self._ids, self._written, self._logprobs = [], [], []
            self._append(self._chat.tokenizer.encode(text), written=False)
        self._rendered, self._reply, self._untold = text, None, False

    def _extend(self, text: str) -> str | None:
        """Appends the part of the conversation's text that the stream lacks; None where the text does not extend it."""
        if not self._ids:
            return None
        rest = self._rest(text)
        if rest is None:
            return None
        self._append(self._chat.encode_after(self._ids[-1], rest), written=False)
        self._rendered, self._reply = text, None
        return rest

    def _rest(self, text: str) -> str | None:
        reply = self._reply
        if reply is None:
            return text[len(self._rendered) :] if text.startswith(self._rendered) else None
        end = self._chat.tokenizer.decode(reply.ids[-1:]) if reply.stop == "stop" else ""
        # Many templates trim a message. The model saw its own blanks, so the stream keeps them.
        for said in (reply.text, reply.text.rstrip(), reply.text.lstrip(), reply.text.strip()):
            head = self._rendered + said + end
            if text.startswith(head):
                return text[len(head) :]
        return None

    def _text(self, *, reply_next: bool) -> str:
        try:
            return self._chat.renderer.render(self._messages, self._tools, reply_next=reply_next)
        except EngineError as error:
            if any(message.role == "assistant" for message in self._messages):
                raise ReplyRefused(str(error)) from error
            raise

    def _append(self, ids: Sequence[int], *, written: bool, logprobs: Sequence[float] = ()) -> None:
        self._ids.extend(ids)
        self._written.extend([written] * len(ids))
        self._logprobs.extend(logprobs if written else [0.0] * len(ids))

    def _current(self) -> TokenStream:
        return TokenStream(ids=tuple(self._ids), written=tuple(self._written), logprobs=tuple(self._logprobs))


def _end_of_turn(renderer: Renderer, tokenizer: Tokenizer) -> int | None:
    """The special token that the template writes right after a reply."""
    said = "probe reply"
    messages = [
        Message(role="user", content="a"),
        Message(role="assistant", content=said),
        Message(role="user", content="b"),
    ]
    after = renderer.render(messages, (), reply_next=False).partition(said)[2].lstrip()
    found = [text for text in tokenizer.special_ids() if text and after.startswith(text)]
    return tokenizer.special_ids()[max(found, key=len)] if found else None


def _replies_in_parts(renderer: Renderer, tokenizer: Tokenizer) -> bool:
    """Whether a reply begins with a heading of special tokens that the model writes itself, as gpt-oss's channels."""
    said, asked = "probe reply", [Message(role="user", content="a")]
    told = [*asked, Message(role="assistant", content=said), Message(role="user", content="b")]
    head = renderer.render(told, (), reply_next=False).partition(said)[0]
    prompt = renderer.render(asked, (), reply_next=True)
    heading = head[len(prompt) :] if head.startswith(prompt) else ""
    return any(mark in heading for mark in tokenizer.special_ids() if mark and "think" not in mark)
