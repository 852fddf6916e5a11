"""The self-test on templates as they are published, read from TRL's package where it is installed."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from openspade.engine.chat.chat import TemplateChat
from openspade.engine.chat.self_test import examine_template
from openspade.engine.chat.template import PROBE_TOOL, Template
from openspade.engine.scripted import ByteTokenizer
from openspade.tokens import JSON, Message
from tests.unit.chats import SHAPES, chat_of

SPEC = find_spec("trl")
FOLDER = Path(SPEC.origin or "").parent / "chat_templates" if SPEC else Path()
MARKS = re.compile(r"<\|[^|<>{}'\" ]+\|>|<(?:start|end)_of_turn>|<\|?turn\|?>|</?s>|<\uff5c[^<>]+?\uff5c>")
ONE = (1, 1, 1)
# Streams of six plain replies, six with thoughts, six with tool calls.
PUBLISHED = [
    ("qwen3", None, (1, 6, 1)),
    ("qwen3", True, (1, 6, 1)),
    ("qwen3", False, (6, 6, 6)),
    ("qwen3_instruct_2507", None, ONE),
    ("qwen2_5", None, ONE),
    ("llama3", None, ONE),
    ("llama3_1", None, ONE),
    ("llama3_2", None, ONE),
    ("gemma", None, ONE),
    ("gemma3", None, ONE),
    ("gemma4", None, ONE),
    ("phi3", None, ONE),
    ("deepseekv3", None, (6, 6, 2)),
    ("gptoss", None, (6, 6, 6)),
]


def published(name: str, thinking: bool | None) -> TemplateChat:
    source = (FOLDER / f"{name}.jinja").read_text(encoding="utf-8")
    tokenizer = ByteTokenizer(sorted({*MARKS.findall(source), "<bos>", "<eos>"}))
    variables: dict[str, JSON] = {} if thinking is None else {"enable_thinking": thinking}
    template = Template(source, special={"bos_token": "<bos>", "eos_token": "<eos>"}, variables=variables)
    return TemplateChat(tokenizer, template, context_tokens=10**6, stop_ids=[tokenizer.special_ids()["<eos>"]])


@pytest.mark.skipif(SPEC is None, reason="needs trl's files")
@pytest.mark.parametrize(("name", "thinking", "streams"), PUBLISHED)
def test_a_published_template_keeps_every_word_and_makes_as_many_streams_as_expected(
    name: str, thinking: bool | None, streams: tuple[int, int, int]
):
    found = examine_template(published(name, thinking))
    assert found.usable
    assert tuple(result.streams for result in found.conversations.values()) == streams


@pytest.mark.skipif(SPEC is None, reason="needs trl's files")
def test_a_template_for_pictures_that_drops_plain_text_is_not_usable():
    assert not examine_template(published("smolvlm", None)).usable


EXPECTED = {
    "chatml": ["tool schemas"],
    "qwen25": [],
    "qwen3": ["thoughts"],
    "qwen3_no_thinking": ["Every reply", "thoughts", "Tool results"],
    "llama3": [],
    "smollm2": ["tool schemas"],
    "gemma3": ["system messages", "tool schemas", "tool results"],
    "mistral": ["tool results", "Every reply"],
}


@pytest.mark.parametrize("shape", SHAPES)
def test_the_self_test_names_what_a_template_breaks_and_what_it_costs(shape: str):
    findings = examine_template(chat_of(shape)).findings
    told = " ".join(finding.what for finding in findings)
    assert [word for word in EXPECTED[shape] if word not in told] == []
    assert bool(findings) is bool(EXPECTED[shape]) and all(finding.cost for finding in findings)


def test_what_a_rewriting_template_costs_is_counted():
    found = examine_template(chat_of("qwen3_no_thinking")).conversations["plain"]
    assert found.streams == 6 and 3 < found.readings < 6


def test_a_template_that_forgets_loses_what_was_told():
    found = examine_template(chat_of("drops_first"))
    assert not found.usable and any("do not reach the model" in finding.what for finding in found.findings)


UNREADABLE = (
    "{% for m in messages %}{{ m.role }}: {{ m.content }}"
    "{% for call in m.tool_calls %}@@{{ call.name }}{% endfor %}\n{% endfor %}"
)


def test_a_template_with_a_form_of_calls_of_its_own_is_told_tools_in_ours():
    template = Template(UNREADABLE, special={})
    chat = TemplateChat(ByteTokenizer(), template, context_tokens=10**6, stop_ids=[257])
    assert any("not read here" in finding.what for finding in examine_template(chat).findings)
    told = chat.renderer.render([Message(role="user", content="a")], (PROBE_TOOL,), reply_next=True)
    assert "<tool_call>" in told and "probe_tool" in told


@pytest.mark.skipif(SPEC is None, reason="needs trl's files")
@pytest.mark.parametrize("name", sorted({name for name, _, _ in PUBLISHED}))
def test_every_published_templates_form_of_calls_is_read(name: str):
    assert published(name, None).renderer.reads_calls
