"""From a Config to parts: the only file that names concrete classes."""

from __future__ import annotations

import os
import platform
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from openspade import recipe
from openspade.config import Config
from openspade.credit.creditor import Creditor
from openspade.curriculum.briefs import Curriculum
from openspade.curriculum.corpus import Corpus
from openspade.engine.base import Engine
from openspade.engine.tutorial import tutorial_engine
from openspade.errors import ConfigError
from openspade.evaluation.evaluate import HeldOutExaminer, load_suite
from openspade.memory.memory import Memory
from openspade.parts import Parts
from openspade.roles.designer import Designer
from openspade.roles.prompts import Prompts
from openspade.rollout.playtest import Playtester
from openspade.rollout.sampler import Direct, Gathering, Sampler
from openspade.run import Run, RunArchive
from openspade.sandbox.pool import SandboxPool
from openspade.tokens import JSON, Role
from openspade.verifier.ladder import Verifier

CONFIG_FILE = "config.toml"
DATABASE_FILE = "openspade.db"
ENGINE_PACKAGES = ("torch", "transformers", "tokenizers")


def new_run_directory(config: Config) -> Path:
    """The folder of a new run, numbered where the name is taken, with the whole configuration written into it."""
    wanted = config.run.directory / config.run.name
    directory, number = wanted, 1
    while directory.exists():
        number += 1
        directory = wanted.with_name(f"{wanted.name}-{number}")
    directory.mkdir(parents=True)
    (directory / CONFIG_FILE).write_text(recipe.show(config), encoding="utf-8")
    return directory


def stored_config(directory: Path) -> Config:
    """The configuration a run was started with. Raises ConfigError where the folder holds no run."""
    if not (directory / CONFIG_FILE).is_file():
        raise ConfigError(
            f"{directory} holds no run: {CONFIG_FILE} is missing; runs are the folders `openspade train` makes"
        )
    return recipe.load(directory / CONFIG_FILE)


@asynccontextmanager
async def open_run(config: Config, directory: Path) -> AsyncIterator[Run]:
    """A run ready to play its next cycle; leaving the block stops its processes and closes its database."""
    config = apply_control(config)
    engine = build_engine(config)
    with Memory.open(directory / DATABASE_FILE, config.memory, reward=config.reward) as memory:
        async with SandboxPool(config.sandbox, numpy=config.gates.numpy) as pool:
            memory.record_run(config.run.name, provenance(config, pool))
            curriculum = build_curriculum(config, engine, memory)
            creditor = Creditor(config)
            playtester = build_playtester(config, engine, pool)
            archive = RunArchive(
                directory=directory,
                memory=memory,
                engine=engine,
                keep=config.run.keep_checkpoints,
                parts={"curriculum": curriculum, "creditor": creditor},
            )
            parts = Parts(
                curriculum=curriculum,
                designer=Designer(
                    engine, Prompts(config.policy.prompts), config.designer, config.cycle.drafts_per_brief
                ),
                verifier=Verifier(pool, memory, config.gates),
                playtester=playtester,
                creditor=creditor,
                engine=engine,
                examiner=build_examiner(config, playtester, memory),
                archive=archive,
            )
            yield Run(directory=directory, cycles=config.run.cycles, parts=parts, archive=archive, memory=memory)


def provenance(config: Config, pool: SandboxPool) -> dict[str, JSON]:
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
    }
    return config.model_copy(update={"advantage": config.advantage.model_copy(update=trained[config.control])})


def build_engine(config: Config) -> Engine:
    """The policy. Torch is imported here and not before, so that commands without a policy start at once."""
    if config.policy.engine == "scripted":
        return tutorial_engine(config.policy.context_tokens)
    from openspade.engine.local import LocalEngine

    temperatures: dict[Role, float] = {"designer": config.designer.temperature, "agent": config.agent.temperature}
    return LocalEngine(config.policy, config.train, temperatures=temperatures)


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


def build_playtester(config: Config, engine: Engine, pool: SandboxPool) -> Playtester:
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
        every=config.evaluate.every,
        plays=config.evaluate.plays,
        memory=memory,
        suite=config.evaluate.suite,
    )
