"""Conversations for the engine's benchmarks: groups of plays, replies of uneven lengths, turns that continue."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import torch
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedModel, Qwen3Config, Qwen3ForCausalLM

from openspade.engine.model.loading import load_policy
from openspade.tokens import Prompt, Sampling, TokenStream, Trajectory

Answers = list[tuple[int, ...]]


@dataclass(frozen=True, kw_only=True)
class Load:
    """How much is asked: prompts, replies and observations in tokens on average, spread widely around it."""

    groups: int
    plays: int
    prompt: int
    reply: int
    observation: int
    turns: int
    rows: int
    tokens_per_batch: int


LOADS = {
    "tiny": Load(groups=2, plays=4, prompt=20, reply=8, observation=8, turns=2, rows=8, tokens_per_batch=256),
    "nano": Load(groups=16, plays=4, prompt=120, reply=40, observation=20, turns=3, rows=64, tokens_per_batch=2048),
    "small": Load(groups=4, plays=4, prompt=120, reply=32, observation=20, turns=3, rows=16, tokens_per_batch=2048),
    "smollm2": Load(groups=1, plays=4, prompt=60, reply=12, observation=12, turns=2, rows=4, tokens_per_batch=1024),
    "qwen3": Load(groups=16, plays=8, prompt=512, reply=192, observation=96, turns=3, rows=128, tokens_per_batch=32768),
}


def a_model(name: str) -> PreTrainedModel:
    """`nano` (1.4 M), `small` (20 M), `tiny` and `qwen3` (0.5 B): random weights; `smollm2`: those of its package."""
    if name == "smollm2":
        loaded = load_policy("SmolLM2-135M-Instruct", context_tokens=2048).model
        # As it comes from a GGUF, TRL takes it for quantised and refuses to train it.
        fresh = LlamaForCausalLM(loaded.config)
        fresh.load_state_dict(loaded.state_dict())
        return fresh.eval()
    torch.manual_seed(0)
    if name in ("nano", "small"):
        return LlamaForCausalLM(LlamaConfig(**SHAPES[name], **COMMON)).eval()
    return Qwen3ForCausalLM(Qwen3Config(**SHAPES[name], **COMMON)).eval()


COMMON = {"max_position_embeddings": 4096, "tie_word_embeddings": True, "eos_token_id": None, "bos_token_id": None}


def _shape(vocabulary: int, width: int, hidden: int, layers: int, heads: int, key_heads: int) -> dict[str, int]:
    return {
        "vocab_size": vocabulary,
        "hidden_size": width,
        "intermediate_size": hidden,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "num_key_value_heads": key_heads,
    }


SHAPES = {
    "nano": _shape(2048, 128, 384, 6, 4, 2),
    "small": _shape(8192, 384, 1152, 9, 6, 2),
    "tiny": _shape(512, 32, 64, 2, 4, 2) | {"head_dim": 16},
    "qwen3": _shape(65_536, 1024, 3072, 28, 16, 8) | {"head_dim": 128},
}


def first_prompts(load: Load, vocabulary: int) -> list[Prompt]:
    rng = random.Random(0)
    prompts = []
    for group in range(load.groups):
        length = rng.randrange(load.prompt * 3 // 4, load.prompt * 5 // 4)
        ids = tuple(rng.randrange(vocabulary) for _ in range(length))
        prompts += [
            Prompt(ids=ids, messages=(), sampling=Sampling(max_tokens=1), seed=group * load.plays + k)
            for k in range(load.plays)
        ]
    return prompts


def turn(prompts: Sequence[Prompt], load: Load, number: int) -> list[Prompt]:
    """The next request of every conversation; each reply's length is drawn beforehand, the same for everyone."""
    rng = random.Random(number)
    lengths = [rng.randrange(load.reply // 4, load.reply * 7 // 4) for _ in prompts]
    return [
        replace(p, sampling=Sampling(max_tokens=n), seed=p.seed + 1000 * number)
        for p, n in zip(prompts, lengths, strict=True)
    ]


def play(load: Load, vocabulary: int, answer: Callable[[list[Prompt]], Answers]) -> tuple[list[TokenStream], int]:
    """All turns of all conversations; the streams, and how many tokens were written."""
    rng = random.Random(1)
    prompts = first_prompts(load, vocabulary)
    marks = [[False] * len(p.ids) for p in prompts]
    written = 0
    for number in range(load.turns):
        prompts = turn(prompts, load, number)
        answers = answer(prompts)
        written += sum(map(len, answers))
        for index, (prompt, said) in enumerate(zip(prompts, answers, strict=True)):
            told = tuple(rng.randrange(vocabulary) for _ in range(load.observation)) if number + 1 < load.turns else ()
            marks[index] += [True] * len(said) + [False] * len(told)
            prompts[index] = replace(prompt, ids=(*prompt.ids, *said, *told))
    streams = [
        TokenStream(ids=p.ids, written=tuple(m), logprobs=(-7.0,) * len(m)) for p, m in zip(prompts, marks, strict=True)
    ]
    return streams, written


def in_rows(load: Load, prompts: Sequence[Prompt], answer: Callable[[Sequence[Prompt]], Answers]) -> Answers:
    """The answers of someone who takes a batch at a time and finishes it before the next."""
    return [said for at in range(0, len(prompts), load.rows) for said in answer(prompts[at : at + load.rows])]


def graded(streams: Sequence[TokenStream]) -> list[Trajectory]:
    """The streams with advantages of both signs."""
    return [Trajectory(role="agent", stream=s, advantage=1.0 if k % 2 else -1.0) for k, s in enumerate(streams)]
