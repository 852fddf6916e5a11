"""Cross-entropy training on given streams: pretraining the built-in policy, and warming up a small model."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
import torch.nn.functional as F
from transformers import PreTrainedModel

from openspade.engine.forward import written_logits
from openspade.engine.packing import last_written, pack, plan_rows
from openspade.tokens import TokenStream

SHUFFLE_BATCHES = 16


@dataclass(frozen=True, kw_only=True, slots=True)
class Schedule:
    """How to train: warm-up, then a cosine down to `final_share` of the learning rate.

    Steps are `epochs` over the streams unless given.
    """

    learning_rate: float
    epochs: float = 1.0
    steps: int = 0
    warmup_share: float = 0.03
    final_share: float = 0.05
    tokens_per_batch: int = 8192
    weight_decay: float = 0.1
    betas: tuple[float, float] = (0.9, 0.98)
    grad_clip: float = 1.0
    seed: int = 0


class Progress(NamedTuple):
    """One optimiser step; `loss` is the mean cross-entropy of its written tokens, in nats."""

    step: int
    steps: int
    loss: float
    tokens: int
    learning_rate: float


def fit(
    model: PreTrainedModel,
    streams: Sequence[TokenStream],
    schedule: Schedule,
    *,
    progress: Callable[[Progress], None] | None = None,
) -> list[float]:
    """The loss of every step. Only written tokens are learnt; a batch of alike lengths is one optimiser step."""
    useful = [stream for stream in streams if any(stream.written)]
    batches = plan_batches([last_written(stream) for stream in useful], schedule)
    optimiser = torch.optim.AdamW(
        [p for p in model.parameters() if p.requires_grad],
        lr=schedule.learning_rate,
        betas=schedule.betas,
        weight_decay=schedule.weight_decay,
    )
    model.train()
    losses: list[float] = []
    tokens = 0
    for step, chosen in enumerate(batches):
        rate = learning_rate_at(step, len(batches), schedule)
        for group in optimiser.param_groups:
            group["lr"] = rate
        some = [useful[i] for i in chosen]
        batch = pack(some, plan_rows(some, shared_tokens=0), model.device)
        loss = F.cross_entropy(written_logits(model, batch).float(), batch.targets)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), schedule.grad_clip)
        optimiser.step()
        losses.append(loss.item())
        tokens += sum(last_written(useful[i]) for i in chosen)
        if progress:
            progress(Progress(step + 1, len(batches), losses[-1], tokens, rate))
    model.eval()
    return losses


def plan_batches(lengths: Sequence[int], schedule: Schedule) -> list[list[int]]:
    """Indices step by step: shuffled, then sorted by length within a pool of batches, then the batches shuffled."""
    rng = random.Random(f"{schedule.seed}/supervised")
    batches: list[list[int]] = []
    goal = schedule.steps or math.inf
    passes = math.ceil(schedule.epochs)
    while lengths and len(batches) < goal:
        epoch = list(_epoch(lengths, schedule.tokens_per_batch, rng))
        if not schedule.steps:
            passes -= 1
            batches += (
                epoch
                if passes > 0 or schedule.epochs == int(schedule.epochs)
                else epoch[: math.ceil(len(epoch) * (schedule.epochs % 1))]
            )
            if passes <= 0:
                break
        else:
            batches += epoch
    return batches[: schedule.steps or None]


def learning_rate_at(step: int, steps: int, schedule: Schedule) -> float:
    """Linear warm-up, then half a cosine."""
    warmup = max(1, round(schedule.warmup_share * steps))
    if step < warmup:
        return schedule.learning_rate * (step + 1) / warmup
    done = (step - warmup) / max(1, steps - warmup)
    share = schedule.final_share + (1 - schedule.final_share) * 0.5 * (1 + math.cos(math.pi * done))
    return schedule.learning_rate * share


def _epoch(lengths: Sequence[int], tokens: int, rng: random.Random) -> Iterator[list[int]]:
    order = list(range(len(lengths)))
    rng.shuffle(order)
    mean = sum(lengths) / len(lengths)
    pool = max(1, round(SHUFFLE_BATCHES * tokens / mean))
    for start in range(0, len(order), pool):
        batches: list[list[int]] = [[]]
        for index in sorted(order[start : start + pool], key=lambda i: (lengths[i], i)):
            if batches[-1] and lengths[index] * (len(batches[-1]) + 1) > tokens:
                batches.append([])
            batches[-1].append(index)
        rng.shuffle(batches)
        yield from batches
