"""The invariants of docs/algorithm.md §4, over random conversations and the shapes of published templates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from openspade.engine.chat.chat import TemplateChat
from openspade.tokens import Completion, Message, Prompt, Sampling, TokenStream
from tests.unit.chats import APPENDING, CALL, LOOK_UP, SHAPES, answer, chat_of, tool, user

# No deadline: a busy machine stretches single examples.
BRIEF = settings(max_examples=60, deadline=None)
CHATS = {shape: chat_of(shape) for shape in SHAPES}
TEXT = st.text(alphabet=st.characters(codec="utf-8", exclude_characters="<>[]#"), max_size=12)
THOUGHT = "<think>\nhm {}\n</think>\n\n"


@dataclass(frozen=True)
class Exchange:
    """What the other side says before a reply, and the reply."""

    told: tuple[Message, ...]
    said: str
    ends: bool


@st.composite
def conversations(draw: st.DrawFn, *, thoughts: bool = True) -> list[Exchange]:
    """Replies with and without thoughts, calls and ends, answered by a user's words or up to three tool results."""
    exchanges: list[Exchange] = []
    for number in range(draw(st.integers(1, 5))):
        mark = f"#{number}.{{}}# "
        told = (user(mark.format(0) + draw(TEXT)),)
        if exchanges and CALL in exchanges[-1].said:
            told = tuple(tool(mark.format(k) + draw(TEXT)) for k in range(draw(st.integers(1, 3))))
        head = THOUGHT.format(number) if thoughts and draw(st.booleans()) else ""
        said = head + (CALL if draw(st.booleans()) else f"say {number}{draw(TEXT)}")
        exchanges.append(Exchange(told, said, draw(st.booleans())))
    return exchanges


def played(
    chat: TemplateChat, exchanges: Sequence[Exchange], *, tools: bool
) -> tuple[list[tuple[Prompt, Completion]], tuple[TokenStream, ...]]:
    """Every request with its answer, and the streams they leave."""
    conversation = None
    asked: list[tuple[Prompt, Completion]] = []
    for exchange in exchanges:
        if conversation is None:
            conversation = chat.start([Message(role="system", content="Rules."), *exchange.told], [LOOK_UP] * tools)
        else:
            conversation.tell(exchange.told)
        prompt = conversation.prompt(Sampling(max_tokens=400), 0)
        assert prompt is not None
        asked.append((prompt, answer(chat, exchange.said, stop=exchange.ends)))
        conversation.reply(asked[-1][1])
    assert conversation is not None
    return asked, conversation.streams()


@BRIEF
@given(shape=st.sampled_from(SHAPES), exchanges=conversations(), tools=st.booleans())
def test_ids_marks_and_logprobs_are_equally_long_and_only_what_was_sampled_is_marked(
    shape: str, exchanges: list[Exchange], tools: bool
):
    asked, streams = played(CHATS[shape], exchanges, tools=tools)
    written = [i for s in streams for i, mark in zip(s.ids, s.written, strict=True) if mark]
    assert written == [i for _, reply in asked for i in reply.ids]
    for stream in streams:
        assert len(stream.ids) == len(stream.written) == len(stream.logprobs)
        assert [lp != 0 for lp in stream.logprobs] == list(stream.written)


@BRIEF
@given(shape=st.sampled_from(SHAPES), exchanges=conversations(), tools=st.booleans())
def test_what_a_reply_is_trained_after_is_what_it_was_sampled_after(shape: str, exchanges: list[Exchange], tools: bool):
    asked, streams = played(CHATS[shape], exchanges, tools=tools)
    for prompt, reply in asked:
        whole = (*prompt.ids, *reply.ids)
        assert any(s.ids[: len(whole)] == whole and all(s.written[len(prompt.ids) : len(whole)]) for s in streams)


@BRIEF
@given(shape=st.sampled_from(SHAPES), exchanges=conversations(), tools=st.booleans())
def test_every_observation_stands_exactly_once_and_in_order_before_each_reply(
    shape: str, exchanges: list[Exchange], tools: bool
):
    asked, _ = played(CHATS[shape], exchanges, tools=tools)
    for number, (prompt, _) in enumerate(asked):
        text = CHATS[shape].tokenizer.decode(prompt.ids)
        marks = [f"#{k}.{j}#" for k in range(number + 1) for j in range(len(exchanges[k].told))]
        assert [text.count(mark) for mark in marks] == [1] * len(marks)
        assert [text.index(mark) for mark in marks] == sorted(text.index(mark) for mark in marks)


@BRIEF
@given(shape=st.sampled_from(APPENDING), exchanges=conversations(thoughts=False), tools=st.booleans())
def test_an_appending_template_makes_one_stream(shape: str, exchanges: list[Exchange], tools: bool):
    _, streams = played(CHATS[shape], exchanges, tools=tools)
    assert len(streams) == 1


@BRIEF
@given(
    shape=st.sampled_from(["chatml", "qwen25", "qwen3", "smollm2"]),
    exchanges=conversations(thoughts=False),
    tools=st.booleans(),
)
def test_stitched_tokens_are_those_of_the_whole_conversation_rendered_at_once(
    shape: str, exchanges: list[Exchange], tools: bool
):
    """For templates that trim nothing; where one trims, the stream keeps the blanks that were sampled."""
    chat = CHATS[shape]
    asked, _ = played(chat, exchanges, tools=tools)
    messages = [Message(role="system", content="Rules.")]
    for exchange, (prompt, reply) in zip(exchanges, asked, strict=True):
        messages += exchange.told
        whole = chat.renderer.render(messages, [LOOK_UP] * tools, reply_next=True)
        assert list(prompt.ids) == chat.tokenizer.encode(whole)
        messages.append(Message(role="assistant", content=reply.text))


@BRIEF
@given(shape=st.sampled_from(SHAPES), exchanges=conversations(), room=st.integers(1, 600), limit=st.integers(1, 50))
def test_no_request_asks_for_less_than_one_token_or_more_than_the_context_holds(
    shape: str, exchanges: list[Exchange], room: int, limit: int
):
    """prime-rl#1938, verl-tool#85, SkyRL#406: whatever the limits."""
    chat = chat_of(shape, context_tokens=room)
    conversation = chat.start([Message(role="system", content="Rules."), *exchanges[0].told])
    for exchange in exchanges:
        prompt = conversation.prompt(Sampling(max_tokens=limit), 0)
        if prompt is None:
            break
        asked = prompt.sampling.max_tokens
        assert 1 <= asked <= min(limit, room - len(prompt.ids))
        ids = chat.tokenizer.encode(exchange.said)[:asked] or [65]
        conversation.reply(chat.completion(ids, [-0.5] * len(ids), "length"))
        conversation.tell([user("go on")])
    # Past the last sampled token a stream may hold what nobody will read.
    assert all(len(stream.written) - stream.written[::-1].index(True) <= room for stream in conversation.streams())
