"""Episodes, requests, tokens, memory and hours of a run, from its settings and a few stated habits of the policy."""

from __future__ import annotations

from dataclasses import dataclass

from openspade.config import Config
from openspade.plan.shape import Shape

GIB = 2**30
FLOAT32, BFLOAT16 = 4, 2
ADAM = 12
"""Bytes of a trained parameter beside its weight: gradient and two moments in float32."""
SCORED_COPIES = 3
"""Float32 copies of the vocabulary's scores that a written token's loss and its gradient need."""
BLOCK_COPIES = 14
"""Vectors of the hidden size that one block keeps for a token's backward pass, roughly (its own estimate in docs)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Habits:
    """What settings cannot know: how much the policy writes. Shares in [0, 1], the rest in tokens and turns."""

    accepted_share: float
    brief_tokens: float
    draft_tokens: float
    turns: float
    turn_tokens: float
    observation_tokens: float

    @staticmethod
    def usual(config: Config) -> Habits:
        """A middle guess: half of the drafts pass, a draft is half its limit, a turn an eighth of it."""
        shown = config.memory.exemplars * config.designer.max_tokens / 4 if config.memory.enabled else 0
        document = config.corpus.document_tokens if config.corpus.enabled else 0
        return Habits(
            accepted_share=0.5,
            brief_tokens=min(1000 + document + shown, config.policy.context_tokens - config.designer.max_tokens),
            draft_tokens=config.designer.max_tokens / 2,
            turns=min(config.playtest.max_turns, 6),
            turn_tokens=config.agent.max_tokens / 8,
            observation_tokens=min(config.playtest.observation_tokens, 150),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Work:
    """What one cycle asks of everything. `read` tokens are prompts, each counted once where its prefix is cached."""

    drafts: float
    designs: float
    unaided_episodes: float
    hinted_episodes: float
    requests: float
    sampled_tokens: float
    read_tokens: float
    trained_tokens: float


def work_of(config: Config, habits: Habits) -> Work:
    """One cycle's work. Replays count as unaided; `cycle.reuse` plays a design in that many cycles."""
    drafts = config.cycle.briefs * config.cycle.drafts_per_brief
    designs = drafts * habits.accepted_share
    plays = config.playtest.seeds * config.playtest.plays
    unaided = (designs * config.cycle.reuse + config.cycle.replays) * plays
    hinted = designs * config.cycle.reuse * plays
    written = habits.turns * habits.turn_tokens
    seen = (habits.turns + 1) * habits.observation_tokens
    return Work(
        drafts=drafts,
        designs=designs,
        unaided_episodes=unaided,
        hinted_episodes=hinted,
        requests=drafts + (unaided + hinted) * habits.turns,
        sampled_tokens=drafts * habits.draft_tokens + (unaided + hinted) * written,
        read_tokens=drafts * habits.brief_tokens + (unaided + hinted) * seen,
        trained_tokens=drafts * (habits.brief_tokens + habits.draft_tokens) + unaided * (written + seen),
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class MemoryNeed:
    """GiB on the device of the `local` engine: what is always there, and what comes while sampling or training."""

    weights: float
    optimiser: float
    cache: float
    activations: float

    @property
    def peak(self) -> float:
        """Sampling and training take turns."""
        return self.weights + self.optimiser + max(self.cache, self.activations)


def memory_of(config: Config, shape: Shape) -> MemoryNeed:
    """Of the `local` engine: float32 weights, and a copy in bfloat16 while products are computed in it.

    The cache is for `policy.batch_rows` full contexts; activations are for `train.tokens_per_batch`.
    """
    half = config.policy.bfloat16
    number = BFLOAT16 if half else FLOAT32
    trained = shape.adapter_parameters(config.policy.lora_rank) if config.policy.lora_rank else shape.parameters
    extra = trained if config.policy.lora_rank else 0.0
    cached = config.policy.batch_rows * config.policy.context_tokens * shape.kv_values_per_token
    one_block = BLOCK_COPIES * shape.hidden + 3 * shape.intermediate
    kept = (
        shape.layers * shape.hidden + one_block
        if getattr(config.train, "gradient_checkpointing", False)
        else shape.layers * one_block
    )
    scores = SCORED_COPIES * shape.vocabulary * FLOAT32
    return MemoryNeed(
        weights=(shape.parameters * (FLOAT32 + (BFLOAT16 if half else 0)) + extra * FLOAT32) / GIB,
        optimiser=trained * ADAM / GIB,
        cache=cached * number / GIB,
        activations=config.train.tokens_per_batch * (kept * number + scores) / GIB,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Speed:
    """Measured or promised throughputs in tokens a second, and the machine's price; 0 is unknown."""

    sampled_per_s: float = 0.0
    trained_per_s: float = 0.0
    dollars_per_hour: float = 0.0

    def hours(self, work: Work, cycles: int) -> float | None:
        """Hours of sampling and learning one after the other; None where a throughput is unknown."""
        if not self.sampled_per_s or not self.trained_per_s:
            return None
        seconds = work.sampled_tokens / self.sampled_per_s + work.trained_tokens / self.trained_per_s
        return cycles * seconds / 3600
