"""The Designer: briefs in, drafts out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from openspade.chance import stable_hash
from openspade.engine.base import Conversation, Engine
from openspade.errors import ReplyRefused, RunError
from openspade.roles.prompts import Prompts
from openspade.roles.reply import extract_program
from openspade.roles.source import outline, read_design
from openspade.settings.learning import DesignerConfig
from openspade.tokens import Completion, Message
from openspade.types import Brief, Design, Draft, Exemplar, Problem, Verdict

CUT = "The reply was cut off before its program ended; write a shorter one."


class Designer:
    """Asks the policy for several drafts of each brief and reads the programs in its replies."""

    def __init__(self, engine: Engine, prompts: Prompts, config: DesignerConfig, drafts_per_brief: int) -> None:
        self._engine = engine
        self._prompts = prompts
        self._drafts_per_brief = drafts_per_brief
        self._sampling = config.sampling()

    async def design(self, briefs: Sequence[Brief]) -> list[Draft]:
        """`drafts_per_brief` drafts of each brief, in order.

        Raises RunError when not even a bare brief fits the context.
        """
        fitted = [self._fit(brief) for brief in briefs]
        asked = [(brief, index) for brief in fitted for index in range(self._drafts_per_brief)]
        conversations = [self._engine.chat.start(self._prompts.design(brief)) for brief, _ in asked]
        requests = [
            conversation.prompt(self._sampling, stable_hash(f"{brief.id}/{brief.seed}/{index}"))
            for conversation, (brief, index) in zip(conversations, asked, strict=True)
        ]
        version = self._engine.version
        completions = await self._engine.sample([request for request in requests if request])
        return [
            replace(_read_draft(brief, f"{brief.id}.{index}", conversation, completion), policy_version=version)
            for (brief, index), conversation, completion in zip(asked, conversations, completions, strict=True)
        ]

    async def repair(self, refused: Sequence[Verdict]) -> list[Draft]:
        """Each refused draft written again, its problems shown to its author, where the context has room for that."""
        asked = [(verdict.draft, conversation) for verdict in refused if (conversation := self._ask_again(verdict))]
        requests = [conversation.prompt(self._sampling, stable_hash(_next_id(draft))) for draft, conversation in asked]
        version = self._engine.version
        completions = await self._engine.sample([request for request in requests if request])
        return [
            replace(
                _read_draft(draft.brief, _next_id(draft), conversation, completion),
                policy_version=version,
                repairs=draft.id,
            )
            for (draft, conversation), completion in zip(asked, completions, strict=True)
        ]

    def _ask_again(self, refused: Verdict) -> Conversation | None:
        problems = self._prompts.repair(refused.problems)
        for brief, reply in _reread(refused.draft):
            said = Message(role="assistant", content=reply)
            conversation = self._engine.chat.start((*self._prompts.design(brief), said, problems))
            if self._has_room(conversation):
                return conversation
        return None

    def _has_room(self, conversation: Conversation) -> bool:
        """Whether a whole reply fits, and the template takes what was said before."""
        try:
            request = conversation.prompt(self._sampling, 0)
        except ReplyRefused:
            return False
        return request is not None and request.sampling.max_tokens == self._sampling.max_tokens

    def _fit(self, brief: Brief) -> Brief:
        """The brief with as much of memory and document as leaves room for a whole reply."""
        for candidate in _shorter(brief, self._prompts.outlines):
            if self._has_room(self._engine.chat.start(self._prompts.design(candidate))):
                return candidate
        raise RunError(
            f"a brief for skill {brief.skill.name!r} leaves no room for designer.max_tokens="
            f"{self._sampling.max_tokens} in a context of {self._engine.capabilities.context_tokens} tokens; "
            "lower the first or raise policy.context_tokens"
        )


def _shorter(brief: Brief, outlines: Sequence[float]) -> Iterator[Brief]:
    """The brief, its exemplars outlined, fewer of them, then without negatives, with half the document, with none."""
    for count in range(len(brief.exemplars), 0, -1):
        for share in (1.0, *outlines):
            yield replace(brief, exemplars=tuple(_outlined(each, share) for each in brief.exemplars[:count]))
    yield replace(brief, exemplars=())
    bare = replace(brief, exemplars=(), negatives=(), avoid=())
    yield bare
    if brief.document:
        words = brief.document.text.split(" ")
        yield replace(bare, document=replace(brief.document, text=" ".join(words[: len(words) // 2])))
        yield replace(bare, document=None)


def _outlined(exemplar: Exemplar, share: float) -> Exemplar:
    """The exemplar with a program of at most this share of its length, or whole where it cannot be outlined so far."""
    source = exemplar.design.source
    short = outline(source, int(share * len(source)))
    return replace(exemplar, design=replace(exemplar.design, source=short or source))


def _reread(draft: Draft) -> Iterator[tuple[Brief, str]]:
    """The brief and reply as they were, then the barest brief with the program alone."""
    yield draft.brief, draft.text
    if draft.design:
        *_, bare = _shorter(draft.brief, ())
        yield bare, f"```python\n{draft.design.source.strip()}\n```"


def _next_id(draft: Draft) -> str:
    """cycle3-brief0.1 is written again as cycle3-brief0.1~1, then ~2."""
    first, _, turn = draft.id.partition("~")
    return f"{first}~{int(turn or 0) + 1}"


def _read_draft(brief: Brief, draft_id: str, conversation: Conversation, completion: Completion) -> Draft:
    conversation.reply(completion)
    found = _read_reply(completion)
    return Draft(
        id=draft_id,
        brief=brief,
        text=completion.text,
        streams=conversation.streams(),
        design=found if isinstance(found, Design) else None,
        problem=found if isinstance(found, Problem) else None,
    )


def _read_reply(completion: Completion) -> Design | Problem:
    if completion.failure:
        return Problem(gate="parses", message=f"There was no reply: {completion.failure}")
    program = extract_program(completion.text, whole=completion.stop == "stop")
    if program is None and completion.stop == "length":
        return Problem(gate="parses", message=CUT)
    if program is None:
        return Problem(gate="parses", message="The reply holds no complete Python program in a fenced block.")
    return read_design(program)
