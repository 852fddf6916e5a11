"""The gate that asks a model: it may refuse what all others let through, and its praise counts for nothing.

No answer, an error and an unclear verdict are asked for again, then the gate is reported as not run; a design is never
refused or accepted because a model could not be understood.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from typing import Literal

from openspade.chance import stable_hash
from openspade.engine.base import Engine
from openspade.errors import EngineError
from openspade.roles.prompts import Prompts
from openspade.roles.thoughts import after_thought
from openspade.tokens import Completion, Prompt, Sampling
from openspade.types import Design, Draft, GateResult, Problem, Verdict
from openspade.verifier.gate import short
from openspade.verifier.repair import BatchJudge

GATE = "reviewer"
TRIES = 3
SAMPLING = Sampling(max_tokens=4096, temperature=0.6, top_p=0.95)
_REJECT = re.compile(r"reject(?:\s+because|[:,.]|\s+[-\u2013\u2014])\s+(\w.*)", re.IGNORECASE | re.DOTALL)
Model = Callable[[], AbstractAsyncContextManager[Engine]]
"""Opens the model for one batch of reviews."""


@dataclass(frozen=True, kw_only=True)
class Opinion:
    """What a reply says: to keep the design, to reject it and why, or neither clearly."""

    says: Literal["keep", "reject", "unclear"]
    reason: str = ""


def read_opinion(reply: str) -> Opinion:
    """The verdict on the last line, if it is the only one: a reply that quotes both is unclear."""
    lines = [line.strip(" *_`#>") for line in after_thought(reply).splitlines() if line.strip()]
    verdicts = [line.partition(":")[2].strip(" *_`") for line in lines if line.upper().startswith("VERDICT:")]
    if not lines:
        return Opinion(says="unclear", reason="it said nothing")
    if len(verdicts) != 1 or not lines[-1].upper().startswith("VERDICT:"):
        return Opinion(says="unclear", reason=f"it gave no verdict on its last line: {short(lines[-1], 80)!r}")
    if verdicts[0].lower().rstrip(".") == "keep":
        return Opinion(says="keep")
    rejected = _REJECT.fullmatch(verdicts[0])
    if rejected:
        return Opinion(says="reject", reason=rejected[1])
    return Opinion(says="unclear", reason=f"its verdict is {short(verdicts[0], 80)!r}")


class Reviewing:
    """A judge whose accepted designs a model reviews, all of a batch at once."""

    def __init__(self, judge: BatchJudge, model: Model, prompts: Prompts) -> None:
        self._judge = judge
        self._model = model
        self._prompts = prompts

    async def verify(self, drafts: Sequence[Draft], beside: Sequence[Design] = ()) -> list[Verdict]:
        """The verdicts of the judge, with some of the accepted turned into refusals."""
        verdicts = await self._judge.verify(drafts, beside)
        accepted = {v.draft.design.id: v.draft.design for v in verdicts if v.accepted and v.draft.design}
        opinions = await self._ask(list(accepted.values())) if accepted else {}
        return [_with_opinion(verdict, opinions) for verdict in verdicts]

    async def _ask(self, designs: Sequence[Design]) -> dict[str, Opinion]:
        opinions: dict[str, Opinion] = {}
        async with self._model() as engine:
            for attempt in range(TRIES):
                waiting = [one for one in designs if opinions.get(one.id, _NONE).says == "unclear"]
                prompts = [self._prompt(engine, design, attempt) for design in waiting]
                for design, opinion in zip(waiting, await _answers(engine, prompts), strict=True):
                    opinions[design.id] = opinion
        return opinions

    def _prompt(self, engine: Engine, design: Design, attempt: int) -> Prompt | None:
        conversation = engine.chat.start(self._prompts.review(design))
        return conversation.prompt(SAMPLING, stable_hash(f"review/{design.id}/{attempt}") % 2**31)


_NONE = Opinion(says="unclear")


async def _answers(engine: Engine, prompts: Sequence[Prompt | None]) -> list[Opinion]:
    """An opinion a prompt. Engines that batch get all in one call; elsewhere one error costs one answer."""
    asked = [prompt for prompt in prompts if prompt is not None]
    batches = [asked] if engine.capabilities.gathers else [[prompt] for prompt in asked]
    answered = await asyncio.gather(*(_sample(engine, batch) for batch in batches if batch))
    opinions = iter([opinion for batch in answered for opinion in batch])
    no_room = Opinion(says="unclear", reason="the program leaves no room in its context")
    return [no_room if prompt is None else next(opinions) for prompt in prompts]


async def _sample(engine: Engine, prompts: Sequence[Prompt]) -> list[Opinion]:
    try:
        return [_opinion(completion) for completion in await engine.sample(prompts)]
    except EngineError as error:
        return [Opinion(says="unclear", reason=short(str(error), 120))] * len(prompts)


def _opinion(completion: Completion) -> Opinion:
    if completion.stop == "length":
        return Opinion(says="unclear", reason="its reply was cut off")
    return read_opinion(completion.text)


def _with_opinion(verdict: Verdict, opinions: dict[str, Opinion]) -> Verdict:
    opinion = opinions.get(verdict.draft.design.id) if verdict.accepted and verdict.draft.design else None
    if opinion is None:
        return verdict
    problem = _problem(opinion) if opinion.says == "reject" else None
    note = f"not run: {opinion.reason}" if opinion.says == "unclear" else ""
    rung = GateResult(gate=GATE, passed=problem is None, ran=opinion.says != "unclear", note=note)
    return replace(verdict, gates=(*verdict.gates, rung), problems=(problem,) if problem else ())


def _problem(opinion: Opinion) -> Problem:
    reason = short(" ".join(opinion.reason.split()), 300).rstrip(".…") + "."
    return Problem(gate=GATE, message=reason[0].upper() + reason[1:], evidence="a model read the program")
