"""From a Config to parts: the only file that names concrete classes."""

from __future__ import annotations

import os
import platform
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from openspade.config import Config
from openspade.credit.creditor import Creditor
from openspade.curriculum.briefs import Curriculum
from openspade.curriculum.corpus import Corpus
from openspade.curriculum.fixed_pool import FixedPool, settle_pool
from openspade.curriculum.given_families import given_families
from openspade.curriculum.window import DifficultyWindow
from openspade.engine.base import Engine
from openspade.engine.tutorial import tutorial_engine
from openspade.engine.watched import Progress, WatchedEngine
from openspade.evaluation.evaluate import HeldOutExaminer, load_suite
from openspade.loggers.feed import feeding, refuse_missing
from openspade.memory.memory import Memory
from openspade.memory.search.meaning import EmbeddingIndex, Meanings, Unread
from openspade.nano.families import nano_families
from openspade.parts import Course, Parts
from openspade.roles.designer import Designer
from openspade.roles.prompts import Prompts
from openspade.rollout.playtest import Playtester
from openspade.rollout.sampler import Direct, Gathering, Sampler
from openspade.run import Run, RunArchive
from openspade.run_folder import DATABASE_FILE, refuse_other_settings
from openspade.sandbox.base import Sandbox
from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.tokens import JSON, Role
from openspade.verifier.judge import build_judge
from openspade.verifier.ladder import Verifier
from openspade.watchdog import Watchdog

POOL_FILE = "pool.jsonl"
ENGINE_PACKAGES = ("torch", "transformers", "tokenizers", "tinker")


@asynccontextmanager
async def open_run(config: Config, directory: Path, *, engine: Engine | None = None) -> AsyncIterator[Run]:
    """A run ready to play its next cycle; leaving the block stops its processes and closes its database.

    `engine` takes the place of the one that the config names.
    """
    refuse_missing(config.run.loggers)
    asked, config, progress = config, apply_control(config), Progress()
    engine = WatchedEngine(engine or build_engine(config), progress)
    meanings = build_meanings(config, directory)
    with Memory.open(directory / DATABASE_FILE, config.memory, reward=config.reward, meanings=meanings) as memory:
        async with build_sandbox(config) as pool:
            refuse_other_settings(asked, memory)
            memory.record_run(config.run.name, provenance(asked, pool))
            written = build_curriculum(config, engine, memory)
            designer = Designer(engine, Prompts(config.policy.prompts), config.designer, config.cycle.drafts_per_brief)
            verifier = Verifier(pool, memory, config.gates)
            curriculum = await choose_course(config, directory, memory, (written, designer, verifier))
            creditor = Creditor(config, memory.reread)
            playtester = build_playtester(config, engine, pool)
            archive = RunArchive(
                memory=memory,
                engine=engine,
                keep=config.run.keep_checkpoints,
                curriculum=curriculum,
                creditor=creditor,
            )
            async with feeding(archive, asked, directory, memory, os.environ) as kept:
                parts = Parts(
                    curriculum=curriculum,
                    designer=designer,
                    verifier=build_judge(config, verifier, engine, designer),
                    playtester=playtester,
                    creditor=creditor,
                    engine=engine,
                    examiner=build_examiner(config, playtester, memory),
                    archive=kept,
                )
                watchdog = Watchdog(progress, timeout_s=config.run.stall_timeout_s, memory=memory)
                yield Run(config=config.run, parts=parts, archive=archive, memory=memory, watchdog=watchdog)


def provenance(config: Config, pool: Sandbox) -> dict[str, JSON]:
    """What a run was started or resumed with: settings, versions, machine, and the walls its programs ran behind."""
    return {
        "config": config.model_dump(mode="json", by_alias=True),
        "versions": {name: version(name) for name in ("openspade", *ENGINE_PACKAGES) if find_spec(name)},
        "machine": {"system": platform.platform(), "python": platform.python_version(), "cores": os.cpu_count()},
        "sandbox": {"grade": pool.grade, **pool.walls},
    }


def apply_control(config: Config) -> Config:
    """A control experiment as settings: which roles learn."""
    trained = {
        "": {},
        "base": {"agent_weight": 0.0, "designer_weight": 0.0},
        "frozen_designer": {"designer_weight": 0.0},
        "fixed_pool": {"designer_weight": 0.0},
        "difficulty_window": {"designer_weight": 0.0},
    }
    return config.model_copy(update={"advantage": config.advantage.model_copy(update=trained[config.control])})


def build_engine(config: Config) -> Engine:
    """The policy. Torch is imported here and not before, so that commands without a policy start at once."""
    if config.policy.engine == "scripted":
        return tutorial_engine(config.policy.context_tokens)
    temperatures: dict[Role, float] = {"designer": config.designer.temperature, "agent": config.agent.temperature}
    if config.policy.engine == "tinker":
        from openspade.engine.tinker.open_tinker import open_tinker

        return open_tinker(
            config.policy, config.tinker, config.train, temperatures=temperatures, overlap=config.run.overlap
        )
    from openspade.engine.local import LocalEngine
    from openspade.engine.sampling.backends import OwnSampler
    from openspade.engine.sampling.vllm import VllmSampler

    make_sampler = {"own": OwnSampler, "vllm": VllmSampler.start}[config.policy.sampler]
    return LocalEngine(config.policy, config.train, temperatures=temperatures, make_sampler=make_sampler)


def build_sandbox(config: Config) -> AbstractAsyncContextManager[Sandbox]:
    """Where programs run: this machine, or all nodes of a Ray cluster."""
    if config.sandbox.backend == "ray":
        from openspade.sandbox.host.ray_pool import RayPool

        return RayPool(config.sandbox, numpy=config.gates.numpy)
    return SandboxPool(config.sandbox, numpy=config.gates.numpy)


def build_meanings(config: Config, directory: Path) -> Meanings:
    """What tells designs alike by meaning; nothing where no model is named."""
    if not config.memory.embedding:
        return Unread()
    from openspade.engine.embedding import SentenceEmbedder

    return EmbeddingIndex(directory, SentenceEmbedder(config.memory.embedding))


def build_curriculum(config: Config, engine: Engine, memory: Memory) -> Curriculum:
    """What makes briefs, with a corpus unless the config does without."""
    corpus = None
    if config.corpus.enabled:
        corpus = Corpus.open(
            config.corpus.path,
            run_seed=config.run.seed,
            document_tokens=config.corpus.document_tokens,
            count=engine.chat.count,
        )
    return Curriculum(config.curriculum, config.cycle, memory, corpus, config.run.seed)


async def choose_course(
    config: Config, directory: Path, memory: Memory, parts: tuple[Curriculum, Designer, Verifier]
) -> Course:
    """What says which environments a cycle plays: the briefs, or a control's pool in the Designer's place."""
    count = config.cycle.briefs * config.cycle.drafts_per_brief
    if config.control == "fixed_pool":
        designs = await settle_pool(directory / POOL_FILE, config.pool, config.run.seed, parts)
        return FixedPool(designs, count, config.run.seed)
    if config.control == "difficulty_window":
        source, names = config.pool.source, config.pool.families
        families = given_families(source, names) if source else nano_families()
        return DifficultyWindow(families, config.pool, count=count, memory=memory, run_seed=config.run.seed)
    return parts[0]


def build_playtester(config: Config, engine: Engine, pool: Sandbox) -> Playtester:
    """The episode runner with the sampler that suits the engine."""
    sampler: Sampler = Gathering(engine) if engine.capabilities.gathers else Direct(engine, config.playtest.concurrency)
    return Playtester(
        engine=engine,
        sampler=sampler,
        pool=pool,
        prompts=Prompts(config.policy.prompts),
        agent=config.agent,
        limits=config.playtest,
        run_seed=config.run.seed,
    )


def build_examiner(config: Config, playtester: Playtester, memory: Memory) -> HeldOutExaminer:
    """The held-out examiner; it reads its suite only where the config asks for scores."""
    return HeldOutExaminer(
        playtester=playtester,
        tasks=load_suite(config.evaluate.suite) if config.evaluate.every else (),
        config=config.evaluate,
        memory=memory,
        last_cycle=config.run.cycles - 1,
    )
