"""The ladder's verdict on programs, each judged alone: nothing is remembered between them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from openspade.roles.source import read_design
from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.settings.worlds import GatesConfig, SandboxConfig
from openspade.types import Brief, Design, Draft, Skill
from openspade.verifier.gates.novelty import Nothing
from openspade.verifier.ladder import Verifier


async def judged(sources: Sequence[str]) -> list[str]:
    """For each program "" when it is accepted, else the gate and the reason."""
    skill = Skill(name="any", kind="game", description="")
    brief = Brief(id="b", skill=skill, document=None, seed=0)
    drafts = []
    for index, source in enumerate(sources):
        read = read_design(source)
        design = read if isinstance(read, Design) else None
        problem = None if isinstance(read, Design) else read
        drafts.append(Draft(id=str(index), brief=brief, text=source, design=design, problem=problem))
    async with SandboxPool(SandboxConfig()) as pool:
        seats = asyncio.Semaphore(4)

        async def alone(draft: Draft) -> str:
            async with seats:
                return _said((await Verifier(pool, Nothing(), GatesConfig()).verify([draft]))[0])

        return await asyncio.gather(*map(alone, drafts))


def _said(verdict: object) -> str:
    problem = getattr(verdict, "problem", None) or next(iter(getattr(verdict, "problems", ())), None)
    return f"{problem.gate}: {problem.message}" if problem else ""
