"""Thoughts of a reply, in the marks of every family of models: what stands in them is not said."""

from __future__ import annotations

import re

from openspade.engine.chat.harmony import parts_of

FENCE = re.compile(r"^ {0,3}(`{3,})[ \t]*(\S*)[^\n`]*$")

MARKS = (
    ("<think>", "</think>"),
    ("<seed:think>", "</seed:think>"),
    ("[THINK]", "[/THINK]"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|inner_prefix|>", "<|inner_suffix|>"),
    ("<|channel>thought", "<channel|>"),
    ("\u25c1think\u25b7", "\u25c1/think\u25b7"),
)
"""How a thought begins and ends: Qwen, DeepSeek and most; Seed-OSS; Magistral; Command; Apertus; Gemma 4; Kimi-VL."""


def after_thought(reply: str) -> str:
    """The reply without the thought it begins with; nothing when the thought never ends."""
    begun = reply.lstrip()
    if parts := parts_of(begun):
        aloud = [part for part in parts if part.recipient or part.channel != "analysis"]
        return "\n".join(part.written if part.recipient else part.text for part in aloud)
    for opened, closed in MARKS:
        if begun.startswith(opened):
            return begun.partition(closed)[2]
    # Some chat templates open the thought in the prompt, so that only its end stands in the reply.
    for _, closed in MARKS[:2]:
        head, found, rest = reply.partition(closed)
        if found and not (_leaves_fence_open(head) or _leaves_argument_open(head)):
            return rest
    return reply


def _leaves_argument_open(text: str) -> bool:
    """Whether it ends inside an argument of a tool call: in a string of JSON, or in a parameter's element."""
    line = text.rpartition("\n")[2].replace(r"\\", "").replace(r"\"", "")
    return ("{" in text and line.count('"') % 2 == 1) or text.count("<parameter=") > text.count("</parameter>")


def _leaves_fence_open(text: str) -> bool:
    opened = ""
    for line in text.splitlines():
        fence = FENCE.match(line)
        if fence and not opened:
            opened = fence[1]
        elif fence and fence[1] == opened and not fence[2]:
            opened = ""
    return bool(opened)
