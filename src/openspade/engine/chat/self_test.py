"""The self-test of a chat template: short conversations, played to see what the template breaks and what that costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from openspade.engine.chat.chat import TemplateChat
from openspade.engine.chat.template import PROBE_TOOL
from openspade.errors import EngineError
from openspade.tokens import Message, Sampling, TokenStream

REPLIES = 6
MARKS = 64
SELF_TEST_TOKENS = 1 << 20
"""The self-test is about the template; whatever the model's context, its conversations fit."""

CALL = '<tool_call>\n{"name": "probe_tool", "arguments": {"key": "a"}}\n</tool_call>'
SAMPLE = "It's 3.14,  naïve → 你好 🙂\n\tif x<=2: return [1, 2]  # end\n"


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """What a template breaks and what that costs; `lost` when something does not reach the model as it was said."""

    what: str
    cost: str
    lost: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Conversing:
    """A conversation of six replies: how many streams it makes, and how often a token is read in training."""

    streams: int
    readings: float

    def cost(self) -> str:
        return (
            f"{REPLIES} replies make {self.streams} streams, and training reads {self.readings:.1f} times the tokens; "
            "what was sampled is still what is trained"
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Examination:
    """The findings, none when conversations stay one exact stream, and how each kind of conversation went."""

    findings: tuple[Finding, ...]
    conversations: Mapping[str, Conversing]

    @property
    def usable(self) -> bool:
        return not any(finding.lost for finding in self.findings)


def examine_template(chat: TemplateChat) -> Examination:
    """Plays plain turns, turns with thoughts and turns with several tool results through a model's chat template."""
    played = {
        "plain": _play(chat, lambda number: f"reply {number}", lambda number: [_user(f"told {number}.")]),
        "thoughts": _play(
            chat, lambda number: f"<think>\nHm {number}.\n</think>\n\nreply {number}", lambda number: [_user("next")]
        ),
        "tools": _play(
            chat, lambda _: CALL, lambda number: [_result(f"first {number}."), _result(f"second {number}.")]
        ),
    }
    conversations = {kind: _measure(streams) for kind, streams in played.items()}
    checks = (
        *_gaps(chat),
        *_unread_calls(chat),
        *_rewritten(conversations),
        *_lost(chat, played),
        *_unmarked_end(chat),
        *_refused(chat),
        *_changed_text(chat),
    )
    return Examination(findings=checks, conversations=conversations)


def _gaps(chat: TemplateChat) -> list[Finding]:
    gaps, reads_calls = chat.renderer.gaps, chat.renderer.reads_calls
    detours = (
        (gaps.system, "system messages", "they join the first user message"),
        (gaps.tools and reads_calls, "tool schemas", "they are written into the system message"),
        (gaps.tool_results, "tool results", "they are told as the user's words"),
    )
    return [
        Finding(what=f"The template has no place for {thing}.", cost=f"{way}; the model may not know that form")
        for lacks, thing, way in detours
        if lacks
    ]


def _unread_calls(chat: TemplateChat) -> list[Finding]:
    if chat.renderer.reads_calls:
        return []
    cost = "tools are told in a form of our own, JSON in <tool_call>; the model may not know that form"
    return [Finding(what="The template writes tool calls in a form that is not read here.", cost=cost)]


def _rewritten(conversations: Mapping[str, Conversing]) -> list[Finding]:
    sentences = {
        "plain": "Every reply opens a new stream: the template rewrites earlier replies.",
        "thoughts": "Replies with thoughts open new streams: the template drops or rewrites earlier thoughts.",
        "tools": "Tool results open a new stream: the template rewrites the call before them.",
    }
    return [
        Finding(what=sentences[kind], cost=found.cost()) for kind, found in conversations.items() if found.streams > 1
    ]


def _lost(chat: TemplateChat, played: Mapping[str, Sequence[TokenStream]]) -> list[Finding]:
    """Every observation must stand exactly once, in order, in the stream that answers it."""
    told = {
        "plain": ("What the user says", [f"told {number}." for number in range(REPLIES - 1)]),
        "tools": (
            "Tool results",
            [f"{which} {number}." for number in range(REPLIES - 1) for which in ("first", "second")],
        ),
    }
    findings: list[Finding] = []
    for kind, (who, texts) in told.items():
        last = chat.tokenizer.decode(played[kind][-1].ids)
        places = [last.find(text) for text in texts]
        if any(last.count(text) != 1 for text in texts) or places != sorted(places):
            what = f"{who} do not reach the model exactly once and in order."
            findings.append(Finding(what=what, cost="the policy cannot see what it answers to", lost=True))
    return findings


def _unmarked_end(chat: TemplateChat) -> list[Finding]:
    if chat.end_of_turn is not None:
        return []
    ends = ", ".join(repr(chat.tokenizer.decode([stop])) for stop in sorted(chat.stop_ids))
    return [
        Finding(
            what="The template writes no token after a reply that ends one.",
            cost=f"replies end at {ends} only, and each opens a new stream",
        )
    ]


def _refused(chat: TemplateChat) -> list[Finding]:
    marks = "".join(list(chat.tokenizer.special_ids())[:MARKS])
    kinds = {"an empty reply": "", "a reply of blanks": "\n", "a reply with its own marks inside": f"a {marks} b"}
    refused: list[str] = []
    for kind, said in kinds.items():
        try:
            chat.renderer.render(
                [_user("begin"), Message(role="assistant", content=said), _user("next")], (), reply_next=True
            )
        except EngineError:
            refused.append(kind)
    cost = "an episode ends at such a reply, with the cause `refused`"
    return [Finding(what=f"The template refuses {', '.join(refused)}.", cost=cost)] if refused else []


def _changed_text(chat: TemplateChat) -> list[Finding]:
    got = chat.decode_after(chat.encode_after(min(chat.stop_ids), SAMPLE))
    if got == SAMPLE:
        return []
    what = f"The tokenizer does not give back the text it read: {SAMPLE!r} became {got!r}."
    return [Finding(what=what, cost="environments and programs are read and written changed", lost=True)]


def _measure(streams: Sequence[TokenStream]) -> Conversing:
    read = sum(len(stream.ids) for stream in streams)
    once = sum(sum(stream.written) for stream in streams) + streams[-1].written.count(False)
    return Conversing(streams=len(streams), readings=read / once)


def _play(
    chat: TemplateChat, say: Callable[[int], str], tell: Callable[[int], Sequence[Message]]
) -> tuple[TokenStream, ...]:
    conversation = chat.start([Message(role="system", content="Be brief."), _user("begin")], (PROBE_TOOL,))
    end = min(chat.stop_ids) if chat.end_of_turn is None else chat.end_of_turn
    for number in range(REPLIES):
        if number:
            conversation.tell(tell(number - 1))
        prompt = conversation.prompt(Sampling(max_tokens=512), 0)
        if prompt is None:
            raise EngineError(
                f"the context of {chat.context_tokens} tokens does not hold the template's self-test; "
                "raise policy.context_tokens"
            )
        ids = [*chat.encode_after(prompt.ids[-1], say(number)), end]
        conversation.reply(chat.completion(ids, [0.0] * len(ids), "stop"))
    return conversation.streams()


def _user(text: str) -> Message:
    return Message(role="user", content=text)


def _result(text: str) -> Message:
    return Message(role="tool", content=text)
