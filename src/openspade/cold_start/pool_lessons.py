"""Lessons of both roles from pools of environments: programs for briefs, and plays of the programs' own solutions."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from openspade.chance import named_rng
from openspade.cold_start.cold_start_plan import SEED_WORD, ColdStartPlan, TokenLesson
from openspade.cold_start.matching_briefs import BriefWriter, DrawDocument
from openspade.cold_start.oracle import Oracle
from openspade.cold_start.render import conversation, lesson_streams
from openspade.cold_start.versions import Versions
from openspade.config import Config
from openspade.curriculum.corpus import Corpus
from openspade.curriculum.fixed_pool import collect
from openspade.curriculum.skills import load_skills
from openspade.engine.chat.chat import TemplateChat
from openspade.engine.training.supervised import Stage, StageReport
from openspade.nano.lessons import LessonWriter, Mix, documents
from openspade.roles.prompts import Prompts
from openspade.roles.reply import extract_program
from openspade.sandbox.base import Sandbox
from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.types import Design

NANO = "nano"
"""The pool that is no list: the mechanics of the nano world write new programs without end."""
NANO_MIX = Mix(level_decay=0.62, designer=0.0, good_hint=0.6, worked_unaided=0.2)


@dataclass(frozen=True, kw_only=True, slots=True)
class LessonShare:
    """How many lessons of each role one pool gives."""

    designs: int
    plays: int


async def make_lessons(
    config: Config, plan: ColdStartPlan, chat: TemplateChat, report: StageReport
) -> list[TokenLesson]:
    """All lessons of a plan, the same ones for the same seed. Those that the context does not hold are left out."""
    shares = _shares(plan)
    lessons: list[TokenLesson] = []
    if NANO in shares:
        lessons += _nano_lessons(shares.pop(NANO), plan, chat, config)
    if shares:
        async with SandboxPool(config.sandbox, numpy=config.gates.numpy) as sandbox:
            for name, share in shares.items():
                pool_lessons = PoolLessons(config, chat, sandbox, name)
                lessons += await pool_lessons.lessons(share, plan.held_out, report)
    return [lesson for lesson in lessons if lesson.streams]


class PoolLessons:
    """Teaches what is in one pool of designs."""

    def __init__(self, config: Config, chat: TemplateChat, sandbox: Sandbox, pool: str) -> None:
        self._config = config
        self._chat = chat
        self._pool = pool
        self._prompts = Prompts(config.policy.prompts)
        self._skills = {skill.name: skill for skill in load_skills(config.curriculum)}
        self._versions = Versions(sandbox, config.gates, list(self._skills.values()), config.run.seed)
        self._oracle = Oracle(sandbox, chat, self._prompts, config)

    async def lessons(self, share: LessonShare, held_out: float, report: StageReport) -> list[TokenLesson]:
        """The pool's lessons; every version of a held-out program is held out."""
        designs = collect(self._pool)
        apart = _held_out(designs, held_out, self._config.run.seed)
        count = -(-share.designs // len(designs))
        versions = await self._versions.of(designs, count, report)
        shown = [design for design in designs if design.id not in apart]
        writer = BriefWriter(self._skills, shown, self._corpus())
        lessons: list[TokenLesson] = []
        for number in range(share.designs):
            first = designs[number % len(designs)]
            version = versions[first.id][number // len(designs)]
            rng = named_rng(self._config.run.seed, number, f"{SEED_WORD}/brief")
            lessons.append(self._design(version, writer, rng, held_out=first.id in apart))
        for number in range(share.plays // 2):
            first = designs[number % len(designs)]
            rng = named_rng(self._config.run.seed, number, f"{SEED_WORD}/play")
            version = rng.choice(versions[first.id])
            lessons += await self._plays(version, rng, held_out=first.id in apart)
            report(Stage(name="plays", done=(number + 1) / (share.plays // 2)))
        return lessons

    def _design(self, design: Design, writer: BriefWriter, rng: random.Random, *, held_out: bool) -> TokenLesson:
        opening = self._prompts.design(writer.brief(design, rng))
        streams = conversation(self._chat, opening, [(f"```python\n{design.source.strip()}\n```", ())])
        return TokenLesson(role="designer", pool=self._pool, source=design.source, streams=streams, held_out=held_out)

    async def _plays(self, design: Design, rng: random.Random, *, held_out: bool) -> list[TokenLesson]:
        episodes = await self._oracle.play(design, rng.randrange(2**31))
        return [
            TokenLesson(role="agent", pool=self._pool, source=design.source, streams=one.streams, held_out=held_out)
            for one in episodes
        ]

    def _corpus(self) -> DrawDocument:
        settings = self._config.corpus
        if not settings.enabled:
            return lambda _: None
        return Corpus.open(
            settings.path,
            run_seed=self._config.run.seed,
            document_tokens=settings.document_tokens,
            count=self._chat.count,
        ).draw


def _nano_lessons(share: LessonShare, plan: ColdStartPlan, chat: TemplateChat, config: Config) -> list[TokenLesson]:
    """New programs of the nano world and plays of them, hardly one like another; some are held out."""
    writer = LessonWriter(NANO_MIX, Prompts(config.policy.prompts), documents())
    lessons: list[TokenLesson] = []
    for number in range(share.designs + share.plays):
        rng = named_rng(config.run.seed, number, f"{SEED_WORD}/nano")
        held_out = rng.random() < plan.held_out
        if number < share.designs:
            lesson = writer.design(rng)
            role, source = "designer", extract_program(lesson.exchanges[0].reply) or ""
        else:
            lesson, role, source = writer.play(rng), "agent", ""
        streams = lesson_streams(chat, lesson)
        lessons.append(TokenLesson(role=role, pool=NANO, source=source, streams=streams, held_out=held_out))
    return lessons


def _shares(plan: ColdStartPlan) -> dict[str, LessonShare]:
    """The lessons of each pool; plays come in pairs."""
    each = plan.lessons / len(plan.pools)
    counts = {name: each * plan.pools.count(name) for name in dict.fromkeys(plan.pools)}
    return {
        name: LessonShare(designs=round(count * plan.designs), plays=2 * round(count * (1 - plan.designs) / 2))
        for name, count in counts.items()
    }


def _held_out(designs: Sequence[Design], share: float, seed: int) -> frozenset[str]:
    """Ids of the designs that nothing is learnt from; at least one when the share is not 0."""
    count = min(len(designs) - 1, math.ceil(share * len(designs)))
    return frozenset(design.id for design in named_rng(seed, 0, f"{SEED_WORD}/held out").sample(designs, count))
