"""Several versions of each program of a pool, every one of them accepted by the gates."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from openspade.cold_start.cold_start_plan import SEED_WORD
from openspade.cold_start.rewrite import rewrite
from openspade.engine.training.supervised import Stage, StageReport
from openspade.roles.source import read_design
from openspade.sandbox.base import Sandbox
from openspade.settings.worlds import GatesConfig
from openspade.types import Brief, Design, Draft, Skill
from openspade.verifier.gates.novelty import OFF, Nothing
from openspade.verifier.ladder import Verifier

BATCH = 8
"""Programs judged together, so that progress shows."""


class Versions:
    """Rewrites programs and keeps what passes every gate; the first version is the program as it came."""

    def __init__(self, sandbox: Sandbox, gates: GatesConfig, skills: Sequence[Skill], seed: int) -> None:
        # Versions of one program are alike by intent.
        self._verifier = Verifier(sandbox, Nothing(), gates.model_copy(update={"max_similarity": OFF}))
        self._skills = {kind: [one.name for one in skills if one.kind == kind] for kind in ("game", "tool")}
        self._seed = seed

    async def of(self, designs: Sequence[Design], count: int, report: StageReport) -> Mapping[str, list[Design]]:
        """`count` versions of each design, by its id; where a rewriting was refused, an accepted one again."""
        found = {design.id: [design] for design in designs}
        guesses = [(design.id, self._guess(design, n)) for n in range(1, count) for design in designs]
        for start in range(0, len(guesses), BATCH):
            some = [(first, guess) for first, guess in guesses[start : start + BATCH] if guess]
            verdicts = await self._verifier.verify([_draft(guess) for _, guess in some])
            for (first, guess), verdict in zip(some, verdicts, strict=True):
                if verdict.accepted:
                    found[first].append(guess)
            kept = sum(map(len, found.values())) - len(found)
            done = min(1.0, (start + BATCH) / len(guesses))
            report(Stage(name="versions", done=done, note=f"{kept} accepted"))
        return {first: [versions[n % len(versions)] for n in range(count)] for first, versions in found.items()}

    def _guess(self, design: Design, number: int) -> Design | None:
        rng = random.Random(f"{self._seed}/{SEED_WORD}/{design.id}/{number}")
        found = read_design(rewrite(design.source, self._skills[design.kind], rng))
        return found if isinstance(found, Design) and found.id != design.id else None


def _draft(design: Design) -> Draft:
    skill = Skill(name=design.skill, kind=design.kind, description="")
    brief = Brief(id="cold_start", skill=skill, document=None, seed=0)
    return Draft(id=design.id, brief=brief, text=design.source, design=design)
