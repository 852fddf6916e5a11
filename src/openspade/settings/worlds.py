"""Settings of the environments: what is asked for, judged, played, confined and remembered."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, ConfigDict, Field, PositiveFloat, PositiveInt

from openspade.settings.section import FREE, Section


class CycleConfig(Section):
    briefs: PositiveInt = 8
    """Briefs a cycle."""
    drafts_per_brief: PositiveInt = 4
    """Drafts a brief: the Designer's group."""
    replays: int = Field(default=0, ge=0)
    """Past designs played again each cycle, drawn by priority."""
    reuse: int = Field(default=1, ge=1, le=64)
    """Cycles in which a new design is played; the Designer is paid when they are over, for all its plays."""


class PlaytestConfig(Section):
    seeds: PositiveInt = 4
    """Instances of a design played in each arm."""
    plays: PositiveInt = 2
    """Episodes of each instance in each arm: the Agent's group."""
    max_turns: PositiveInt = 25
    """Turns after which an episode is truncated; a design may ask for fewer."""
    episode_tokens: PositiveInt = 100_000
    """Tokens the Agent may write in one episode."""
    observation_tokens: PositiveInt = 2048
    """Longer observations are cut in the middle, visibly."""
    return_: Literal["last", "max", "sum"] = Field(default="last", alias="return")
    """Which of an episode's rewards is its return; a terminated success is always 1."""
    played_alone: int = Field(default=1, ge=0)
    """Episodes of each design, drawn at random, that are played again alone in a fresh child and must go the same."""
    concurrency: PositiveInt = 512
    """Episodes in flight at once."""
    halt_after: Annotated[PositiveInt, FREE] = 64
    """Episodes in a row lost to our own infrastructure (a dead server, a lost machine) that end the run."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=True, populate_by_name=True, serialize_by_alias=True
    )


class PoolConfig(Section):
    """What the controls play that have a pool in the Designer's place."""

    source: str = ""
    """`fixed_pool`: "" is written by the untrained Designer before cycle 0; or `pool:starter`, a folder, a run. Both
    kinds of pool: `rlve` and `reasoning_gym` take theirs (extras `rlve` and `eval`); "" is nano's own for a window."""
    size: PositiveInt = 96
    """`fixed_pool`: designs the untrained Designer writes, or that are drawn from a source with levels."""
    families: tuple[str, ...] = ()
    """Which families of environments a window plays, or a pool is drawn from; empty means all."""
    window: PositiveInt = 4
    """`difficulty_window`: levels played, up to a family's top one; a pool drawn from a source has as many, from 1."""
    promote_at: float = Field(default=0.9, gt=0, le=1)
    """`difficulty_window`: share of plays solved at the top level from which it rises."""
    promote_after: PositiveInt = 8
    """`difficulty_window`: instances of the top level played before it may rise."""


class CurriculumConfig(Section):
    skills: tuple[str, ...] = ()
    """Names from the skill table; empty means all of them."""
    skills_file: str = ""
    """A TOML table of your own skills."""
    skills_per_cycle: PositiveInt = 3
    """How many skills a cycle's briefs rotate over."""
    skill_weights: Literal["uniform", "learning_progress"] = "uniform"
    """`uniform`: all skills in turn. `learning_progress`: more often those whose solve rate has moved lately."""
    collapse_share: float = Field(default=0.3, gt=0, le=1)
    """Share of the last 40 accepted designs in one cluster that raises the collapse alarm."""


class CorpusConfig(Section):
    enabled: bool = True
    """Whether briefs carry a document."""
    path: str = "package:nano"
    """A JSONL file made by `openspade corpus build`, or `package:nano`."""
    document_tokens: PositiveInt = 4000
    """Longer documents are cut at a paragraph."""


class MemoryConfig(Section):
    enabled: bool = True
    """Whether briefs carry past designs."""
    exemplars: int = Field(default=1, ge=0)
    """Good designs shown in a brief."""
    negatives: int = Field(default=1, ge=0)
    """Bad designs shown in a brief, each with the reason."""
    half_life_cycles: PositiveFloat = 20.0
    """Cycles after which a design's value as exemplar or replay halves."""
    window: PositiveInt = 500
    """How many of the latest designs a new one must differ from."""
    embedding: str = ""
    """A sentence-transformers model (a folder, or a name) that tells likeness by meaning too; "" is off."""


def _reviewer(value: str) -> str:
    if value in ("", "policy") or re.fullmatch(r"https?://\S+ \S+", value):
        return value
    raise ValueError("write policy, or a server and its model as in 'http://127.0.0.1:8000/v1 qwen3-8b'")


class GatesConfig(Section):
    seeds: PositiveInt = 8
    """Instances on which a design is started, solved and attacked."""
    min_instances: PositiveInt = 12
    """Distinct first observations among 32 seeds."""
    floor: float = Field(default=0.1, ge=0, le=1)
    """Mean return an attacker may reach beyond its chance allowance."""
    max_source_bytes: PositiveInt = 32_768
    """Longest program."""
    max_hint_words: PositiveInt = 120
    """Longest hint."""
    numpy: bool = False
    """Whether designs may import numpy."""
    max_similarity: float = Field(default=0.9, gt=0, le=1)
    """Likeness to a recent accepted design, numbers and texts aside, above which a draft is refused; 1 is off."""
    reviewer: Annotated[str, AfterValidator(_reviewer)] = ""
    """A model that may refuse what all gates let through: `policy`, or a server as `URL MODEL`; empty is none."""
    design_timeout_s: PositiveFloat = 20.0
    """CPU seconds of a design's program in all gates together; by the clock five times that."""


class RepairConfig(Section):
    turns: int = Field(default=0, ge=0)
    """How often a refused draft is shown its problems and written again; only the first version is trained on."""


class SandboxConfig(Section):
    backend: Literal["local", "ray"] = "local"
    """`local`: workers on this machine. `ray`: workers on every node of the Ray cluster that RAY_ADDRESS names."""
    workers: Annotated[int, FREE] = Field(default=0, ge=0)
    """Worker processes on each machine; 0 means one a core."""
    memory_mb: PositiveInt = 256
    """Address space of a child above the zygote's own."""
    open_timeout_s: PositiveFloat = 2.0
    """CPU seconds for loading a program."""
    step_timeout_s: PositiveFloat = 1.0
    """CPU seconds for one reset or step of one instance."""
    wall_factor: PositiveFloat = 5.0
    """Wall-clock backstop as a multiple of the CPU limit."""
    require: Annotated[tuple[str, ...], FREE] = ("rlimits", "no_new_privs", "seccomp")
    """Walls without which nothing runs."""
    allow_unconfined: bool = False
    """Run generated code without kernel walls: only for programs you wrote yourself."""


class EvaluateConfig(Section):
    every: int = Field(default=0, ge=0)
    """Cycles between held-out scores; 0 is never."""
    suite: str = "nano"
    """The held-out suite."""
    plays: PositiveInt = 1
    """Episodes of each held-out task."""
