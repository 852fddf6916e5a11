"""Settings of the policy: which model, how it samples, what it is paid for, how it learns."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, PositiveFloat, PositiveInt

from openspade.settings.section import FREE, SEEDING, Section
from openspade.tokens import Sampling

Thinking = Literal["template", "on", "off"]


class PolicyConfig(Section):
    model: str = "nano"
    """`nano` (built in), a folder, or a Hugging Face name of a causal language model."""
    engine: Literal["local", "tinker", "scripted"] = "local"
    """`local`: transformers on this machine. `tinker`: a server that speaks the Tinker API (section `tinker`).
    `scripted`: canned answers, for tests and tutorials."""
    device: str = "auto"
    """`auto`, `cpu`, `cuda` or `cuda:N`."""
    dtype: Literal["float32", "bfloat16"] = "float32"
    """In which products are computed; weights stay float32. bfloat16 is slow on most CPUs."""
    lora_rank: int = Field(default=0, ge=0)
    """0 trains all weights, otherwise a LoRA adapter of this rank."""
    context_tokens: PositiveInt = 1024
    """The longest conversation, prompt and replies together."""
    batch_rows: PositiveInt = 64
    """Sequences sampled side by side; finished rows retire and waiting ones take their place."""
    sampler: Literal["own", "vllm"] = "own"
    """Who samples for the local engine: `own`, or `vllm` in this process on the card that learns."""
    vllm_memory_share: float = Field(default=0.4, gt=0, lt=1)
    """Share of the card's memory that vLLM may take; the rest is for learning."""
    threads: Annotated[int, SEEDING] = Field(default=1, ge=0)
    """CPU threads of torch; 0 leaves torch's own choice."""
    prompts: Literal["compact", "full"] = "full"
    """Prompt templates: `compact` for models of a few million parameters."""
    thinking: Thinking = "template"
    """`on` or `off` tells a chat template that knows `enable_thinking`; `template` leaves it its own way."""

    @property
    def label(self) -> str:
        """What a table calls the policy."""
        return "scripted" if self.speaks_bytes else self.model

    @property
    def bfloat16(self) -> bool:
        """Whether products are computed in half the bits."""
        return self.dtype == "bfloat16"

    @property
    def speaks_bytes(self) -> bool:
        """Whether a token is a byte of text, as in canned answers, and not one of the model's tokenizer."""
        return self.engine == "scripted"

    @property
    def fills_this_machine(self) -> bool:
        """Whether weights, optimiser and cache lie in this machine's memory."""
        return self.engine == "local"


class TinkerConfig(Section):
    server: Literal["service", "skyrl", "skyrl-jax"] = "service"
    """Who answers: Thinking Machines' service, or your own SkyRL with FSDP or Megatron (`skyrl`) or with JAX."""
    url: Annotated[str, FREE] = ""
    """Address of your own server, e.g. http://127.0.0.1:8000; that of the service is known."""
    base_model: str = ""
    """The server's name of the model; empty: `policy.model`, whose tokenizer and template are used."""
    loss: Literal["ppo", "custom"] = "ppo"
    """`ppo`: the server's clipped loss. `custom`: ours, worked out here from the server's log-probs; knows `train.kl`
    and costs one more pass for each minibatch after the first."""
    download: Annotated[bool, FREE] = False
    """Each checkpoint brings its adapter to this machine too, as a folder for transformers and peft."""
    lost_after_s: Annotated[PositiveFloat, FREE] = 300.0
    """The run ends when the server has given no sign of life for this long."""


class EndpointConfig(Section):
    """A server that `generate` and `evaluate` ask."""

    timeout_s: Annotated[PositiveFloat, FREE] = 600.0
    """Longest silence of the server. Answers are streamed where it can, so a long answer is no silence."""
    concurrency: Annotated[PositiveInt, FREE] = 8
    """Requests in flight at once."""


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
    gradient_checkpointing: bool = False
    """Keeps only what enters each layer and works out the rest again in the backward pass: the same gradient, less
    memory, a third more time."""
    compile: bool = False
    """Compiles the model's layers for training (torch.compile): minutes at the start, fewer passes over memory."""
