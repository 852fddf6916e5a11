"""Conversations stay token-exact over the shapes of published chat templates."""

from __future__ import annotations

import pytest

from openspade.engine.chat.template import Template
from openspade.engine.scripted import ByteTokenizer
from openspade.errors import EngineError
from openspade.tokens import Message, Sampling
from tests.unit.chats import APPENDING, CALL, LOOK_UP, MARKS, SHAPES, answer, chat_of, play, text_of, tool, user


@pytest.mark.parametrize("shape", SHAPES)
def test_the_first_prompt_is_the_templates_own_text(shape: str):
    chat = chat_of(shape)
    prompt = chat.start([user("hi")]).prompt(Sampling(max_tokens=5), 0)
    assert prompt is not None
    assert chat.tokenizer.decode(prompt.ids) == chat.renderer.render([user("hi")], (), reply_next=True)


@pytest.mark.parametrize("shape", APPENDING)
def test_a_conversation_is_one_stream_equal_to_its_whole_rendering(shape: str):
    """No newline after an end of turn is lost, and nothing is written twice (verl#6501, verl#3720, NeMo-RL#2821)."""
    chat = chat_of(shape)
    replies = [answer(chat, "one"), answer(chat, "two")]
    (stream,) = play(chat, [[user("a")], [user("b")], [user("c")]], replies)
    messages = [
        Message(role="system", content="Rules."),
        user("a"),
        Message(role="assistant", content="one"),
        user("b"),
    ]
    whole = chat.renderer.render([*messages, Message(role="assistant", content="two"), user("c")], (), reply_next=False)
    assert text_of(chat, stream) == whole


@pytest.mark.parametrize("shape", SHAPES)
def test_ids_sampled_are_the_ids_kept(shape: str):
    """History is never decoded and encoded again (trl#5224)."""
    chat = chat_of(shape)
    odd = chat.completion([104, 0xC3, 105, chat.end_of_turn or 0], [-1.0, -2.0, -3.0, -4.0], "stop")
    streams = play(chat, [[user("a")], [user("b")], [user("c")]], [odd, answer(chat, "two")])
    written = [i for stream in streams for i, mark in zip(stream.ids, stream.written, strict=True) if mark]
    assert written == [*odd.ids, *answer(chat, "two").ids]


@pytest.mark.parametrize("shape", APPENDING)
def test_every_observation_stands_once_in_the_stream(shape: str):
    """Also when the template trims, groups results, or counts messages (SkyRL#2075, NeMo Gym PR#1214)."""
    chat = chat_of(shape)
    told = [[user("obs-0")], [tool("obs-1"), tool("obs-2")], [tool("obs-3"), user("obs-4")], [user("obs-5")]]
    replies = [answer(chat, CALL), answer(chat, CALL), answer(chat, "done")]
    (stream,) = play(chat, told, replies, [LOOK_UP])
    text = text_of(chat, stream)
    assert [text.count(f"obs-{k}") for k in range(6)] == [1] * 6
    assert text.index("obs-1") < text.index("obs-2") < text.index("obs-3")


@pytest.mark.parametrize("shape", SHAPES)
def test_a_tools_schema_reaches_the_model(shape: str):
    chat = chat_of(shape)
    prompt = chat.start([Message(role="system", content="Rules."), user("hi")], [LOOK_UP]).prompt(
        Sampling(max_tokens=5), 0
    )
    assert prompt is not None
    text = chat.tokenizer.decode(prompt.ids)
    assert text.count('"look_up"') == 1
    assert text.count("Rules.") == 1


def test_dropped_thoughts_open_a_new_stream_that_keeps_what_was_sampled():
    chat = chat_of("qwen3")
    replies = [answer(chat, "<think>\nhm\n</think>\n\none"), answer(chat, "two")]
    first, second = play(chat, [[user("a")], [user("b")]], replies)
    assert "hm" in text_of(chat, first) and "hm" not in text_of(chat, second)
    assert sum(first.written) == len(replies[0].ids) and sum(second.written) == len(replies[1].ids)


def test_thoughts_between_tool_calls_stay_in_one_stream():
    chat = chat_of("qwen3")
    thought = answer(chat, f"<think>\nhm\n</think>\n\n{CALL}")
    assert len(play(chat, [[user("a")], [tool("r")], [tool("r")]], [thought, thought], [LOOK_UP])) == 1


def test_an_opened_empty_thought_makes_a_stream_of_every_reply():
    chat = chat_of("qwen3_no_thinking")
    assert len(play(chat, [[user("a")], [user("b")]], [answer(chat, "one"), answer(chat, "two")])) == 2


@pytest.mark.parametrize("said", [" one", "one ", "\n one\n\n", "  "])
def test_blanks_that_a_template_trims_stay_as_sampled(said: str):
    chat = chat_of("llama3")
    (stream,) = play(chat, [[user("a")], [user("b")]], [answer(chat, said), answer(chat, "two")])
    assert f"\n\n{said}<|eot_id|><|start_header_id|>user" in text_of(chat, stream)


@pytest.mark.parametrize("shape", ["chatml", "llama3", "gemma3"])
def test_a_reply_cut_by_length_is_closed_by_the_template(shape: str):
    chat = chat_of(shape)
    (stream,) = play(chat, [[user("a")], [user("b")]], [answer(chat, "cut of", stop=False), answer(chat, "two")])
    end = chat.tokenizer.decode([chat.end_of_turn or 0])
    assert f"cut of{end}" in text_of(chat, stream)
    assert sum(stream.written) == len("cut of") + len(answer(chat, "two").ids)


def test_a_template_that_forgets_opens_streams_instead_of_failing():
    """A broken prefix costs a stream, not the run (prime-rl#1334, verifiers#115)."""
    chat = chat_of("drops_first")
    streams = play(chat, [[user(str(k))] for k in range(6)], [answer(chat, f"r{k}") for k in range(5)])
    assert len(streams) > 1
    assert sum(sum(stream.written) for stream in streams) == 5 * len(answer(chat, "r0").ids)


def test_what_the_context_still_holds_bounds_the_reply():
    """The exact count is known before the request: never 4,137 of 4,096 (verl-tool#85, prime-rl#1938)."""
    chat = chat_of("chatml")
    prompt = chat.start([user("hi")]).prompt(Sampling(max_tokens=100), 0)
    assert prompt is not None
    small = chat_of("chatml", context_tokens=len(prompt.ids) + 7)
    cut = small.start([user("hi")]).prompt(Sampling(max_tokens=100), 0)
    assert cut is not None and cut.sampling.max_tokens == 7 and cut.ids == prompt.ids


def test_a_full_context_asks_for_nothing():
    chat = chat_of("chatml", context_tokens=10)
    assert chat.start([user("longer than ten tokens")]).prompt(Sampling(max_tokens=5), 0) is None


def test_an_overlong_conversation_is_never_cut_from_the_left():
    """The episode ends instead (agentcore-rl#104, prime-rl#1983)."""
    chat = chat_of("chatml", context_tokens=60)
    conversation = chat.start([Message(role="system", content="S"), user("a")])
    assert conversation.prompt(Sampling(max_tokens=5), 0) is not None
    conversation.reply(answer(chat, "one"))
    conversation.tell([user("b" * 60)])
    assert conversation.prompt(Sampling(max_tokens=5), 0) is None
    assert text_of(chat, conversation.streams()[0]).startswith("<|im_start|>system\nS")


def test_a_template_that_does_not_parse_is_named():
    with pytest.raises(EngineError, match="cannot be read: line 1"):
        Template("{% for %}", special={})


def test_a_refused_conversation_names_its_roles():
    chat = chat_of("gemma3")
    with pytest.raises(EngineError, match=r"refuses messages of roles \[assistant\]"):
        chat.renderer.render([Message(role="assistant", content="x")], (), reply_next=False)


def test_a_template_date_is_the_same_every_day():
    prompt = chat_of("llama3").start([user("hi")]).prompt(Sampling(max_tokens=5), 0)
    assert prompt is not None and "01 Jan 2025" in ByteTokenizer(MARKS).decode(prompt.ids)
