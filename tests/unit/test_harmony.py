"""Replies in parts, as gpt-oss writes them: thoughts, calls and words, and where such a reply ends."""

from __future__ import annotations

import pytest

from openspade.engine.chat.chat import TemplateChat
from openspade.engine.chat.harmony import as_fields, parts_of
from openspade.engine.chat.self_test import examine_template
from openspade.engine.chat.template import Template
from openspade.engine.scripted import ByteTokenizer
from openspade.rollout.tools import boxed
from openspade.tokens import Completion, Message, Sampling
from tests.unit.test_published_templates import SPEC, published

MARKS = ("<|start|>", "<|channel|>", "<|message|>", "<|end|>", "<|return|>")
SOURCE = (
    "{% for m in messages %}<|start|>{{ m.role }}{% if m.role == 'assistant' %}<|channel|>final{% endif %}<|message|>"
    "{{ m.content }}<|end|>{% endfor %}{% if add_generation_prompt %}<|start|>assistant{% endif %}"
)
REPLY = (
    "<|channel|>analysis<|message|>Middle \\boxed{1} first.<|end|>"
    "<|start|>assistant<|channel|>final<|message|>\\boxed{5}"
)
CALL = (
    "<|channel|>analysis<|message|>Look.<|end|><|start|>assistant<|channel|>commentary to=functions.find "
    '<|constrain|>json<|message|>{"slip": "1"}'
)


def chat_in_parts(*stops: str) -> TemplateChat:
    tokenizer = ByteTokenizer(MARKS)
    ids = [tokenizer.special_ids()[stop] for stop in stops]
    return TemplateChat(tokenizer, Template(SOURCE, special={}), context_tokens=9000, stop_ids=ids)


def test_a_mark_between_the_parts_of_a_reply_ends_none():
    chat = chat_in_parts("<|return|>")
    ids = chat.tokenizer.encode(f"{REPLY}<|return|>")
    cut = next(number for number, each in enumerate(ids) if each in chat.stop_ids)
    heard = chat.completion(ids[: cut + 1], [0.0] * (cut + 1), "stop").text
    assert (heard, boxed(heard)) == (REPLY, "5")


def test_a_mark_that_the_model_itself_names_as_an_end_is_one():
    chat = chat_in_parts("<|end|>", "<|return|>")
    assert len(chat.stop_ids) == 2 and chat.end_of_turn is not None


def test_a_model_that_names_no_end_ends_where_its_template_does():
    assert chat_in_parts().stop_ids == {ByteTokenizer(MARKS).special_ids()["<|end|>"]}


def test_parts_are_told_apart_whatever_stands_between_them():
    without_start = REPLY.replace("<|end|><|start|>assistant", "")
    for reply in (REPLY, without_start, REPLY.replace("<|end|>", "")):
        assert [(part.channel, part.text) for part in parts_of(reply)] == [
            ("analysis", "Middle \\boxed{1} first."),
            ("final", "\\boxed{5}"),
        ]


def test_a_call_in_a_part_becomes_the_templates_call():
    fields = as_fields(CALL)
    assert (fields["content"], fields["thinking"]) == ("", "Look.")
    assert fields["tool_calls"] == [{"type": "function", "function": {"name": "find", "arguments": {"slip": "1"}}}]


@pytest.mark.skipif(SPEC is None, reason="needs trl's files")
@pytest.mark.parametrize("said", [REPLY, CALL, "plain", "", "<|channel|>analysis<|message|>Only thoughts"])
def test_gpt_oss_takes_its_own_replies_back(said: str):
    chat = published("gptoss", None)
    conversation = chat.start([Message(role="user", content="Begin.")])
    assert conversation.prompt(Sampling(max_tokens=500), 0) is not None
    end = min(chat.stop_ids)
    ids = (*chat.tokenizer.encode(said), end)
    conversation.reply(Completion(ids=ids, logprobs=(0.0,) * len(ids), text=said, stop="stop"))
    conversation.tell([Message(role="user", content="Next.")])
    prompt = conversation.prompt(Sampling(max_tokens=500), 0)
    assert prompt is not None and chat.tokenizer.decode(prompt.ids).endswith("Next.<|end|><|start|>assistant")


@pytest.mark.skipif(SPEC is None, reason="needs trl's files")
def test_the_self_test_of_gpt_oss_names_the_ends_it_has():
    found = examine_template(published("gptoss", None))
    assert found.usable and any("replies end at" in finding.cost for finding in found.findings)
