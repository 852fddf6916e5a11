"""What a policy's drafts are worth: how many pass all gates, and how many of those are copies of what it was shown."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from openspade.config import Config
from openspade.curriculum.corpus import Corpus
from openspade.curriculum.skills import load_skills
from openspade.engine.chat.chat import TemplateChat
from openspade.engine.local import LocalEngine
from openspade.memory.search.similarity import Sketch, fingerprint, sketch_program
from openspade.roles.designer import Designer
from openspade.roles.prompts import Prompts
from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.types import Brief, Verdict
from openspade.verifier.gates.novelty import OFF, Nothing
from openspade.verifier.ladder import Verifier

ALIKE = 0.9
"""Likeness from which two programs are the same mechanic with other numbers and words."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """Drafts of a policy. `gates` counts the gate that refused each; `copies` and `alike` are among the accepted.

    A copy equals a program that was taught, names and texts aside; `alike` are at least 90 % like one, numbers aside.
    `likeness` is that of each accepted draft to its nearest taught program.
    """

    drafts: int
    accepted: int
    gates: Mapping[str, int]
    copies: int
    likeness: tuple[float, ...]
    seconds: float
    verdicts: tuple[Verdict, ...]

    @property
    def alike(self) -> int:
        return sum(value >= ALIKE for value in self.likeness)


async def measure(config: Config, taught: Sequence[str], drafts: int) -> Measured:
    """Judge that many drafts, one a brief as in a run's first cycle: skills in turn, documents, nothing remembered."""
    began = time.monotonic()
    engine = LocalEngine(config.policy, config.train)
    designer = Designer(engine, Prompts(config.policy.prompts), config.designer, drafts_per_brief=1)
    written = await designer.design(_briefs(config, engine.chat, drafts))
    gates = config.gates.model_copy(update={"max_similarity": OFF})
    async with SandboxPool(config.sandbox, numpy=config.gates.numpy) as pool:
        verdicts = await Verifier(pool, Nothing(), gates).verify(written)
    accepted = [v.draft.design.source for v in verdicts if v.accepted and v.draft.design]
    known = {fingerprint(source) for source in taught}
    sketches = [sketch_program(source) for source in taught] if accepted else []
    return Measured(
        drafts=drafts,
        accepted=len(accepted),
        gates=Counter(verdict.problems[0].gate for verdict in verdicts if verdict.problems),
        copies=sum(fingerprint(source) in known for source in accepted),
        likeness=tuple(_nearest(source, sketches) for source in accepted),
        seconds=time.monotonic() - began,
        verdicts=tuple(verdicts),
    )


def _briefs(config: Config, chat: TemplateChat, count: int) -> list[Brief]:
    skills = load_skills(config.curriculum)
    settings = config.corpus
    corpus = Corpus.open(
        settings.path, run_seed=config.run.seed, document_tokens=settings.document_tokens, count=chat.count
    )
    return [
        Brief(
            id=f"measure{number}",
            skill=(skill := skills[number % len(skills)]),
            document=corpus.draw(skill.kind) if settings.enabled else None,
            seed=number,
        )
        for number in range(count)
    ]


def _nearest(source: str, sketches: Sequence[Sketch]) -> float:
    mine = sketch_program(source)
    return max((mine.similarity(other) for other in sketches), default=0.0)
