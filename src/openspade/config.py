"""Every setting, with its default and its help text; secrets. Unknown keys are errors."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, PositiveFloat, PositiveInt

from openspade.tokens import Sampling


class Section(BaseModel):
    """A frozen group of settings; unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class RunConfig(Section):
    name: str = "run"
    """The run's folder under `directory`."""
    directory: Path = Path("runs")
    """Where runs are kept."""
    seed: int = 0
    """Every random draw derives from this number and the cycle's."""
    cycles: int = Field(default=100, ge=0)
    """How many cycles the run has in all; `resume` goes on to this number."""
    keep_checkpoints: PositiveInt = 2
    """How many of the latest checkpoints stay on disk."""


class PolicyConfig(Section):
    model: str = "nano"
    """`nano` (built in), a folder, or a Hugging Face name of a causal language model."""
    engine: Literal["local", "scripted"] = "local"
    """`local`: transformers on this machine. `scripted`: canned answers, for tests and tutorials."""
    device: str = "auto"
    """`auto`, `cpu`, `cuda` or `cuda:N`."""
    dtype: Literal["float32", "bfloat16"] = "float32"
    """Weights' number format; bfloat16 is slow on most CPUs."""
    lora_rank: int = Field(default=0, ge=0)
    """0 trains all weights, otherwise a LoRA adapter of this rank."""
    context_tokens: PositiveInt = 1024
    """The longest conversation, prompt and replies together."""
    batch_rows: PositiveInt = 64
    """Sequences sampled side by side; finished rows retire and waiting ones take their place."""
    threads: int = Field(default=1, ge=0)
    """CPU threads of torch; 0 leaves torch's own choice."""
    prompts: Literal["compact", "full"] = "full"
    """Prompt templates: `compact` for models of a few million parameters."""


class CycleConfig(Section):
    briefs: PositiveInt = 8
    """Briefs a cycle."""
    drafts_per_brief: PositiveInt = 4
    """Drafts a brief: the Designer's group."""
    replays: int = Field(default=0, ge=0)
    """Past designs played again each cycle, drawn by priority."""


class SamplingConfig(Section):
    max_tokens: PositiveInt = 512
    """Longest single reply."""
    temperature: PositiveFloat = 1.0
    """1 samples from the policy as it is."""
    top_p: float = Field(default=1.0, gt=0, le=1)
    """Nucleus: the smallest set of tokens with this much probability; 1 is off."""
    top_k: int = Field(default=0, ge=0)
    """Only the k likeliest tokens; 0 is off."""

    def sampling(self) -> Sampling:
        """These settings as a request carries them."""
        return Sampling(max_tokens=self.max_tokens, temperature=self.temperature, top_p=self.top_p, top_k=self.top_k)


class DesignerConfig(SamplingConfig):
    baseline: Literal["brief", "skill", "batch"] = "brief"
    """Whose mean a draft's reward is compared with."""


class AgentConfig(SamplingConfig):
    """How the Agent's replies are sampled."""


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
    concurrency: PositiveInt = 512
    """Episodes in flight at once."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=True, populate_by_name=True, serialize_by_alias=True
    )


class RewardConfig(Section):
    kind: Literal["blend", "gated", "regret", "solve_rate", "uncertainty", "learning_progress", "random"] = "blend"
    """What an accepted design is paid for; docs/algorithm.md has the table."""
    band_low: float = Field(default=0.4, ge=0, le=1)
    """Lowest unaided solve rate inside the band."""
    band_high: float = Field(default=0.6, ge=0, le=1)
    """Highest unaided solve rate inside the band."""
    ramp: PositiveFloat = 0.25
    """Distance from the band at which its value reaches 0."""
    band_weight: float = Field(default=0.6, ge=0)
    """Weight of the band in `blend`."""
    regret_weight: float = Field(default=0.4, ge=0)
    """Weight of the regret in `blend`."""
    regret_scale: PositiveFloat = 0.15
    """Regret that earns the full regret credit (rho)."""
    estimator: Literal["mean", "shrunk"] = "mean"
    """`shrunk` draws a noisy regret towards 0 by its standard error."""
    rejected: float = -0.5
    """Reward of a draft that a gate refused or that hung in play."""
    unparsable: float = -1.0
    """Reward of a draft without a readable program."""


class AdvantageConfig(Section):
    scale: Literal["std", "none"] = "std"
    """`std` divides by the group's standard deviation, `none` only subtracts its mean."""
    agent_weight: float = Field(default=1.0, ge=0)
    """Weight of the Agent's advantages after each role's are brought to the same size; 0 does not train it."""
    designer_weight: float = Field(default=1.0, ge=0)
    """Weight of the Designer's advantages; 0 does not train it."""


class TrainConfig(Section):
    learning_rate: PositiveFloat = 1e-6
    """AdamW's step size."""
    betas: tuple[float, float] = (0.9, 0.98)
    """AdamW's decay rates."""
    weight_decay: float = Field(default=0.1, ge=0)
    """AdamW's weight decay."""
    grad_clip: PositiveFloat = 1.0
    """Largest gradient norm."""
    minibatches: PositiveInt = 1
    """Optimiser steps a cycle, each on its share of the trajectories."""
    clip_low: float = Field(default=0.2, gt=0, lt=1)
    """Lower clip of the probability ratio."""
    clip_high: PositiveFloat = 0.28
    """Upper clip of the probability ratio."""
    sampler_ratio_cap: PositiveFloat = 2.0
    """Cap of the importance weight between the sampler's and the trainer's log-probs."""
    kl: float = Field(default=0.0, ge=0)
    """Weight of the KL penalty to the initial policy."""
    aggregation: Literal["token-mean", "sequence-mean"] = "token-mean"
    """Mean over all sampled tokens of the batch, or of each sequence's mean."""
    truncated: Literal["penalise", "mask"] = "mask"
    """Episodes cut by the token or context limit: trained with their return, or left out of the loss."""
    tokens_per_batch: PositiveInt = 16_384
    """Padded tokens in one forward pass; more are accumulated."""


class CurriculumConfig(Section):
    skills: tuple[str, ...] = ()
    """Names from the skill table; empty means all of them."""
    skills_file: str = ""
    """A TOML table of your own skills."""
    skills_per_cycle: PositiveInt = 3
    """How many skills a cycle's briefs rotate over."""
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


class SandboxConfig(Section):
    workers: int = Field(default=0, ge=0)
    """Worker processes; 0 means one a core."""
    memory_mb: PositiveInt = 256
    """Address space of a child above the zygote's own."""
    open_timeout_s: PositiveFloat = 2.0
    """CPU seconds for loading a program."""
    step_timeout_s: PositiveFloat = 1.0
    """CPU seconds for one reset or step of one instance."""
    wall_factor: PositiveFloat = 5.0
    """Wall-clock backstop as a multiple of the CPU limit."""
    require: tuple[str, ...] = ("rlimits", "no_new_privs", "seccomp")
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


class Config(Section):
    """All settings of a run."""

    control: Literal["", "base", "frozen_designer"] = ""
    """A control experiment at the same budget: `base` trains nothing, `frozen_designer` only the Agent."""
    run: RunConfig = RunConfig()
    policy: PolicyConfig = PolicyConfig()
    cycle: CycleConfig = CycleConfig()
    designer: DesignerConfig = DesignerConfig()
    agent: AgentConfig = AgentConfig()
    playtest: PlaytestConfig = PlaytestConfig()
    reward: RewardConfig = RewardConfig()
    advantage: AdvantageConfig = AdvantageConfig()
    train: TrainConfig = TrainConfig()
    curriculum: CurriculumConfig = CurriculumConfig()
    corpus: CorpusConfig = CorpusConfig()
    memory: MemoryConfig = MemoryConfig()
    gates: GatesConfig = GatesConfig()
    sandbox: SandboxConfig = SandboxConfig()
    evaluate: EvaluateConfig = EvaluateConfig()


def secret(name: str) -> str:
    """A key from the environment, "" where there is none; secrets stand in no recipe and on no command line."""
    return os.environ.get(name, "")
