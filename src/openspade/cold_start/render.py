"""Known replies in tokens exactly as a policy would have sampled them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from openspade.engine.chat.chat import TemplateChat
from openspade.nano.lessons import Lesson
from openspade.tokens import JSON, Completion, Message, Prompt, Sampling, TokenStream
from openspade.types import Action, Kind


class ScriptedSampler:
    """Takes an episode's seat as sampler and says what it was given, one reply a turn."""

    def __init__(self, chat: TemplateChat, replies: Iterable[str]) -> None:
        self._chat = chat
        self._replies = iter(replies)

    def seat(self, episodes: int) -> None: ...

    def leave(self, episodes: int = 1) -> None: ...

    async def sample(self, prompt: Prompt) -> Completion:
        return written(self._chat, prompt, next(self._replies, ""))


def written(chat: TemplateChat, prompt: Prompt, text: str) -> Completion:
    """The text as an answer to a prompt; cut, and marked so, where the prompt leaves less room."""
    end = chat.end_of_turn if chat.end_of_turn is not None else min(chat.stop_ids)
    ids = [*chat.encode_after(prompt.ids[-1], text), end]
    room = prompt.sampling.max_tokens
    return chat.completion(ids[:room], [0.0] * min(len(ids), room), "stop" if len(ids) <= room else "length")


def conversation(
    chat: TemplateChat,
    opening: Sequence[Message],
    replies: Sequence[tuple[str, Sequence[Message]]],
    tools: Sequence[Mapping[str, JSON]] = (),
) -> tuple[TokenStream, ...]:
    """A whole conversation, each reply with what it is told next; nothing when the context does not hold it."""
    talk = chat.start(opening, tools)
    for text, answers in replies:
        prompt = talk.prompt(Sampling(max_tokens=chat.context_tokens), 0)
        completion = written(chat, prompt, text) if prompt else None
        if completion is None or completion.stop == "length":
            return ()
        talk.reply(completion)
        if answers:
            talk.tell(answers)
    return talk.streams()


def lesson_streams(chat: TemplateChat, lesson: Lesson) -> tuple[TokenStream, ...]:
    """A lesson of the nano world in this chat's tokens."""
    replies = [(exchange.reply, exchange.answers) for exchange in lesson.exchanges]
    return conversation(chat, lesson.opening, replies, lesson.tools)


def reply_of(action: Action, kind: Kind) -> str:
    """The words that an Agent would play an action with."""
    if kind == "game":
        return f"\\boxed{{{action.text}}}"
    calls = [{"name": call.name, "arguments": dict(call.arguments)} for call in action.calls]
    lines = [f"<tool_call>\n{json.dumps(call, ensure_ascii=False)}\n</tool_call>" for call in calls]
    return "\n".join([action.text, *lines] if action.text else lines)
