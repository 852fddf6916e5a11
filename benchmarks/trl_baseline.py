"""TRL's GRPOTrainer as a baseline: its generation through transformers, and its loss. `pip install trl datasets`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from benchmarks.workload import Answers, Load, in_rows
from datasets import IterableDataset
from tests.tiny_models import byte_tokenizer
from transformers import PreTrainedModel, PreTrainedTokenizerFast
from trl import GRPOConfig, GRPOTrainer

from openspade.tokens import Prompt, Trajectory

FOLDER = Path("/tmp/openspade-trl")


def trl_trainer(
    model: PreTrainedModel, directory: Path = FOLDER, *, kind: type[GRPOTrainer] = GRPOTrainer, **settings: Any
) -> GRPOTrainer:
    """TRL's trainer around a model; clips, mean over tokens and no KL, as ours by default."""
    asked = {
        "output_dir": str(directory),
        "use_cpu": model.device.type == "cpu",
        "bf16": model.device.type != "cpu",
        "report_to": [],
        "beta": 0.0,
        "epsilon_high": 0.28,
        "loss_type": "bnpo",
        "num_generations": 4,
        "per_device_train_batch_size": 4,
        "gradient_checkpointing": False,
        "max_steps": 1,
    }
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=byte_tokenizer(), eos_token="<|im_end|>", pad_token="<|endoftext|>"
    )
    data = IterableDataset.from_generator(lambda: iter([{"prompt": "a"}] * 4))
    trainer = kind(model, _no_reward, GRPOConfig(**asked | settings), data, processing_class=tokenizer)
    trainer.current_gradient_accumulation_steps = 1
    return trainer


def trl_sampler(trainer: GRPOTrainer, load: Load) -> Callable[[list[Prompt]], Answers]:
    """TRL's generation of one turn: a left-padded batch that runs until its longest reply has ended."""
    trainer.eos_token_ids = [-1]
    trainer.generation_config.eos_token_id = None

    def answer(prompts: Sequence[Prompt]) -> Answers:
        trainer.generation_config.max_new_tokens = max(p.sampling.max_tokens for p in prompts)
        said, _ = trainer._generate_single_turn([list(p.ids) for p in prompts], None, {}, 1)
        return [tuple(ids[: p.sampling.max_tokens]) for ids, p in zip(said, prompts, strict=True)]

    return lambda prompts: in_rows(load, prompts, answer)


def trl_step(trainer: GRPOTrainer, load: Load) -> Callable[[Sequence[Trajectory]], None]:
    """TRL's loss and its backward pass, in micro-batches of as many rows as the token budget holds on average."""
    rows = max(4, load.tokens_per_batch // (load.prompt + load.turns * (load.reply + load.observation)) // 4 * 4)

    def step(trajectories: Sequence[Trajectory]) -> None:
        model = trainer.model
        model.train()
        for start in range(0, len(trajectories), rows):
            inputs = {k: v.to(model.device) for k, v in trl_inputs(trajectories[start : start + rows]).items()}
            with trainer.compute_loss_context_manager():
                loss = trainer.compute_loss(model, inputs)
            loss.backward()
        model.zero_grad()

    return step


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


def _no_reward(completions: Sequence[str], **_: object) -> list[float]:
    return [0.0] * len(completions)
