"""Tokens a CPU second of the local engine beside plain transformers and TRL, on the same model and the same tokens.

    python -m benchmarks.engine --model nano --repeats 3            # nano, small (20 M), smollm2
    python -m benchmarks.engine --model nano --trl                  # with TRL's loss as the baseline of training

One thread, one process, the contenders by turns, medians over the repeats. CPU seconds, so that a busy machine
disturbs less; still, read ratios. Replies end at lengths drawn beforehand, the same for every contender.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from tests.tiny_models import byte_tokenizer
from tokenizers import Tokenizer
from transformers import DynamicCache, LlamaConfig, LlamaForCausalLM, PreTrainedModel, PreTrainedTokenizerFast

from openspade.engine.batch import sample_batch
from openspade.engine.fused import FusedDecoder
from openspade.engine.loading import load_policy
from openspade.engine.shelf import Shelf
from openspade.engine.trainer import Trainer
from openspade.settings.learning import TrainConfig
from openspade.tokens import Prompt, Sampling, TokenStream, Trajectory

NEVER = frozenset({-1})


@dataclass(frozen=True, kw_only=True)
class Load:
    """A workload: groups of plays of one prompt, replies of uneven lengths, turns that continue."""

    groups: int
    plays: int
    prompt: int
    reply: int
    observation: int
    turns: int
    rows: int
    tokens_per_batch: int


LOADS = {
    "nano": Load(groups=32, plays=4, prompt=120, reply=40, observation=20, turns=3, rows=64, tokens_per_batch=2048),
    "small": Load(groups=8, plays=4, prompt=120, reply=40, observation=20, turns=3, rows=32, tokens_per_batch=2048),
    "smollm2": Load(groups=4, plays=4, prompt=60, reply=16, observation=16, turns=2, rows=16, tokens_per_batch=1024),
}
# Vocabulary, width, feed-forward width, layers, query heads, key heads.
SHAPES = {"nano": (2048, 128, 384, 6, 4, 2), "small": (8192, 384, 1152, 9, 6, 2)}


def a_model(name: str) -> PreTrainedModel:
    if name == "smollm2":
        return load_policy("SmolLM2-135M-Instruct", context_tokens=2048).model.eval()
    torch.manual_seed(0)
    vocabulary, width, hidden, layers, heads, key_heads = SHAPES[name]
    config = LlamaConfig(
        vocab_size=vocabulary,
        hidden_size=width,
        intermediate_size=hidden,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=key_heads,
        max_position_embeddings=2048,
        tie_word_embeddings=True,
        eos_token_id=None,
        bos_token_id=None,
    )
    return LlamaForCausalLM(config).eval()


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
    rng = random.Random(number)
    lengths = [rng.randrange(load.reply // 4, load.reply * 7 // 4) for _ in prompts]
    return [
        replace(p, sampling=Sampling(max_tokens=n), seed=p.seed + 1000 * number)
        for p, n in zip(prompts, lengths, strict=True)
    ]


Answers = list[tuple[int, ...]]


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


def ours(model: PreTrainedModel, load: Load) -> Callable[[list[Prompt]], Answers]:
    decoder, shelf = FusedDecoder(model), Shelf()
    return lambda prompts: [a.ids for a in sample_batch(decoder, prompts, stop_ids=NEVER, rows=load.rows, shelf=shelf)]


@torch.inference_mode()
def generate(model: PreTrainedModel, load: Load, prompts: list[Prompt]) -> Answers:
    """transformers' own `generate`: left-padded batches that run until their longest reply has ended."""
    answers: Answers = []
    for start in range(0, len(prompts), load.rows):
        some = prompts[start : start + load.rows]
        width = max(len(p.ids) for p in some)
        ids = torch.tensor([[0] * (width - len(p.ids)) + list(p.ids) for p in some])
        mask = torch.tensor([[0] * (width - len(p.ids)) + [1] * len(p.ids) for p in some])
        longest = max(p.sampling.max_tokens for p in some)
        out = model.generate(
            ids, attention_mask=mask, max_new_tokens=longest, do_sample=True, top_k=0, pad_token_id=0, eos_token_id=None
        )
        answers += [tuple(row[: p.sampling.max_tokens]) for row, p in zip(out[:, width:].tolist(), some, strict=True)]
    return answers


@torch.inference_mode()
def plain_loop(model: PreTrainedModel, load: Load, prompts: list[Prompt]) -> Answers:
    """The loop one would write by hand over a model's forward and its cache; it reports log-probs, as ours does."""
    answers: Answers = []
    for start in range(0, len(prompts), load.rows):
        some = prompts[start : start + load.rows]
        width = max(len(p.ids) for p in some)
        ids = torch.tensor([[0] * (width - len(p.ids)) + list(p.ids) for p in some])
        mask = torch.tensor([[0] * (width - len(p.ids)) + [1] * len(p.ids) for p in some])
        positions = (mask.cumsum(-1) - 1).clamp(min=0)
        cache, said, logprobs = DynamicCache(), [], []
        for _ in range(max(p.sampling.max_tokens for p in some)):
            logits = model(
                ids, attention_mask=mask, position_ids=positions, past_key_values=cache, logits_to_keep=1
            ).logits[:, -1]
            every = logits.log_softmax(-1)
            ids = torch.multinomial(every.exp(), 1)
            said.append(ids)
            logprobs.append(every.gather(1, ids))
            mask, positions = F.pad(mask, (0, 1), value=1), positions[:, -1:] + 1
        rows = torch.cat(said, 1).tolist()
        answers += [tuple(row[: p.sampling.max_tokens]) for row, p in zip(rows, some, strict=True)]
    return answers


def our_step(model: PreTrainedModel, load: Load, trajectories: list[Trajectory]) -> None:
    optimiser = torch.optim.AdamW([torch.zeros(1, requires_grad=True)], lr=0.0)  # the optimiser is torch's for everyone
    Trainer(model=model, optimiser=optimiser, config=TrainConfig(tokens_per_batch=load.tokens_per_batch)).learn(
        trajectories
    )
    model.zero_grad()


def trl_step(model: PreTrainedModel, load: Load) -> Callable[[list[Trajectory]], None]:
    """TRL's GRPO loss and its backward pass, in micro-batches of as many rows as the token budget holds on average."""
    rows = max(4, load.tokens_per_batch // (load.prompt + load.turns * (load.reply + load.observation)) // 4 * 4)
    trainer = trl_trainer(model, byte_tokenizer(), Path("/tmp/openspade-trl"))

    def step(trajectories: list[Trajectory]) -> None:
        model.train()
        for start in range(0, len(trajectories), rows):
            trainer.compute_loss(model, trl_inputs(trajectories[start : start + rows])).backward()
        model.zero_grad()

    return step


def trl_trainer(model: PreTrainedModel, tokenizer: Tokenizer, directory: Path) -> Any:
    """TRL's trainer around a model, for its `compute_loss`; clips, mean over tokens and no KL, as ours by default."""
    from datasets import IterableDataset  # noqa: PLC0415 - only this baseline needs these
    from trl import GRPOConfig, GRPOTrainer  # noqa: PLC0415

    settings = GRPOConfig(
        output_dir=str(directory),
        use_cpu=True,
        bf16=False,
        report_to=[],
        beta=0.0,
        epsilon_high=0.28,
        loss_type="bnpo",
        num_generations=4,
        per_device_train_batch_size=4,
        gradient_checkpointing=False,
        max_steps=1,
    )
    wrapped = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    data = IterableDataset.from_generator(lambda: iter([{"prompt": "a"}] * 4))
    trainer = GRPOTrainer(model, _no_reward, settings, data, processing_class=wrapped)
    trainer.current_gradient_accumulation_steps = 1
    return trainer


def _no_reward(completions: Sequence[str], **_: object) -> list[float]:
    return [0.0] * len(completions)


def trl_inputs(trajectories: Sequence[Trajectory]) -> dict[str, torch.Tensor]:
    """TRL's form: prompts padded left, completions (environment text masked) padded right."""
    cuts = [t.stream.written.index(True) for t in trajectories]
    before, after = max(cuts), max(len(t.stream.ids) - c for t, c in zip(trajectories, cuts, strict=True))

    def left(values: Sequence[int]) -> list[int]:
        return [0] * (before - len(values)) + list(values)

    def right(values: Sequence[int]) -> list[int]:
        return list(values) + [0] * (after - len(values))

    pairs = list(zip(trajectories, cuts, strict=True))
    return {
        "prompt_ids": torch.tensor([left(t.stream.ids[:c]) for t, c in pairs]),
        "prompt_mask": torch.tensor([left([1] * c) for _, c in pairs]),
        "completion_ids": torch.tensor([right(t.stream.ids[c:]) for t, c in pairs]),
        "completion_mask": torch.tensor([right([1] * (len(t.stream.ids) - c)) for t, c in pairs]),
        "tool_mask": torch.tensor([right([int(w) for w in t.stream.written[c:]]) for t, c in pairs]),
        "advantages": torch.tensor([t.advantage for t in trajectories]),
        "num_items_in_batch": torch.tensor(sum(sum(t.stream.written) for t in trajectories)),
    }


def timed(work: Callable[[], int]) -> float:
    """Tokens a CPU second."""
    began = time.process_time()
    tokens = work()
    return tokens / (time.process_time() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", choices=sorted(LOADS), default="nano")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument(
        "--trl", action="store_true", help="train with TRL's loss too (pip install trl datasets accelerate)"
    )
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    model, load = a_model(arguments.model), LOADS[arguments.model]
    vocabulary = int(model.config.vocab_size)
    one = replace(load, turns=1)
    streams, _ = play(load, vocabulary, ours(model, load))
    trajectories = [Trajectory(role="agent", stream=s, advantage=1.0 if k % 2 else -1.0) for k, s in enumerate(streams)]
    tokens = sum(len(s.ids) for s in streams)
    work: dict[str, Callable[[], int]] = {}
    for kind, some in (("one turn", one), (f"{load.turns} turns", load)):
        work[f"sample, {kind}: openspade"] = lambda some=some: play(some, vocabulary, ours(model, some))[1]
        work[f"sample, {kind}: generate"] = lambda some=some: play(
            some, vocabulary, lambda p: generate(model, some, p)
        )[1]
        work[f"sample, {kind}: plain loop"] = lambda some=some: play(
            some, vocabulary, lambda p: plain_loop(model, some, p)
        )[1]
    work["train: openspade"] = lambda: (our_step(model, load, trajectories), tokens)[1]
    if arguments.trl:
        step = trl_step(model, load)
        work["train: trl"] = lambda: (step(trajectories), tokens)[1]
    seen: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(arguments.repeats):
        for name, run in work.items():
            model.eval()
            seen[name].append(timed(run))
    report = {name: round(statistics.median(values), 1) for name, values in seen.items()}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        json.dumps(
            {
                "model": arguments.model,
                "parameters": model.num_parameters(),
                "peak_mb": peak,
                "tokens_a_cpu_second": report,
            },
            indent=1,
        )
    )


if __name__ == "__main__":
    main()
