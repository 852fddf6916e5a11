"""Cross-entropy training on given streams: pretraining the built-in policy, and warming up a small model."""

from __future__ import annotations

import json
import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import torch
import torch.nn.functional as F
from safetensors.torch import save_file
from transformers import PreTrainedModel

from openspade.engine.model.checkpoint import load_state, save_state, write_directory
from openspade.engine.model.loading import Policy, write_chat
from openspade.engine.model.merged import plain_weights
from openspade.engine.training.forward import precision, written_logits
from openspade.engine.training.packing import batch_order, last_written, micro_batches, pack, plan_rows
from openspade.tokens import TokenStream

SHUFFLE_BATCHES = 16
PROGRESS = "progress.json"


@dataclass(frozen=True, kw_only=True, slots=True)
class Schedule:
    """How to train: warm-up, then a cosine down to `final_share` of the learning rate.

    Steps are `epochs` over the streams unless given; with `minutes` training ends after that time at the latest, and
    the learning rate follows whichever end is nearer. `bfloat16` computes products so, with float32 weights.
    """

    learning_rate: float
    epochs: float = 1.0
    steps: int = 0
    minutes: float = 0.0
    warmup_share: float = 0.03
    final_share: float = 0.05
    tokens_per_batch: int = 8192
    weight_decay: float = 0.1
    betas: tuple[float, float] = (0.9, 0.98)
    grad_clip: float = 1.0
    bfloat16: bool = False
    seed: int = 0


class FittingProgress(NamedTuple):
    """After an optimiser step; `loss` is the mean cross-entropy of its written tokens in nats, `done` a share."""

    step: int
    steps: int
    loss: float
    tokens: int
    learning_rate: float
    seconds: float
    done: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Stage:
    """How far one stage of a long work has come, in [0, 1], and what there is to say about it."""

    name: str
    done: float
    note: str = ""


StageReport = Callable[[Stage], None]


class Fitting:
    """A training on streams that can stop after any step and go on later with the same batches.

    Only written tokens are learnt; a batch of alike lengths is one optimiser step.
    """

    def __init__(self, model: PreTrainedModel, streams: Sequence[TokenStream], schedule: Schedule) -> None:
        self._model = model
        self._schedule = schedule
        self._streams = [stream for stream in streams if any(stream.written)]
        self._batches = plan_batches([last_written(stream) for stream in self._streams], schedule)
        self._optimiser = torch.optim.AdamW(
            [p for p in model.parameters() if p.requires_grad],
            lr=schedule.learning_rate,
            betas=schedule.betas,
            weight_decay=schedule.weight_decay,
        )
        self._step = 0
        self._tokens = 0
        self._loss = math.nan
        self._seconds = 0.0

    @property
    def progress(self) -> FittingProgress:
        """How far it has come."""
        place, steps = self._place, len(self._batches)
        rate = learning_rate_at(place, steps, self._schedule)
        done = min(1.0, place / steps) if steps else 1.0
        return FittingProgress(self._step, steps, self._loss, self._tokens, rate, self._seconds, done)

    def steps(self) -> Iterator[FittingProgress]:
        """Takes the steps that are left, one at a time."""
        self._model.train()
        while self._place < len(self._batches):
            began = time.monotonic()
            chosen = [self._streams[i] for i in self._batches[self._step]]
            before = self.progress
            self._loss = self._take_step(chosen, before.learning_rate)
            self._step += 1
            self._tokens += sum(map(last_written, chosen))
            self._seconds += time.monotonic() - began
            yield self.progress._replace(learning_rate=before.learning_rate)
        self._model.eval()

    def learn(
        self,
        show: Callable[[FittingProgress], None],
        save: Callable[[], None],
        *,
        save_minutes: float,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        """Takes the steps that are left, or until `stopped` says so after one; saves now and then, not at the end."""
        saved = time.monotonic()
        for step in self.steps():
            show(step)
            if stopped():
                break
            if time.monotonic() - saved > 60 * save_minutes:
                save()
                saved = time.monotonic()

    def save(self, policy: Policy, directory: Path) -> None:
        """A folder that goes on from here, and that loads as a policy when all weights are trained."""

        def fill(aside: Path) -> None:
            _write_form(policy, aside)
            save_state(aside, self._model, self._optimiser, version=self._step)
            state = {"step": self._step, "tokens": self._tokens, "loss": self._loss, "seconds": self._seconds}
            (aside / PROGRESS).write_text(json.dumps(state), encoding="utf-8")

        write_directory(directory, fill)

    def load(self, directory: Path) -> None:
        """Goes on where that folder was saved; the streams and the schedule must be the same."""
        with torch.no_grad():
            load_state(directory, self._model, self._optimiser)
        state = json.loads((directory / PROGRESS).read_text(encoding="utf-8"))
        self._step, self._tokens = state["step"], state["tokens"]
        self._loss, self._seconds = state["loss"], state["seconds"]

    @property
    def _place(self) -> int:
        """How far the schedule is, in steps: by steps taken, or by time where that is nearer its end."""
        limit_s = 60 * self._schedule.minutes
        by_time = math.floor(len(self._batches) * self._seconds / limit_s) if limit_s else 0
        return max(self._step, by_time)

    def _take_step(self, some: Sequence[TokenStream], rate: float) -> float:
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        batch = pack(some, plan_rows(some, shared_tokens=0), self._model.device)
        with precision(self._model, bfloat16=self._schedule.bfloat16):
            loss = F.cross_entropy(written_logits(self._model, batch).float(), batch.targets)
        self._optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._model.parameters(), self._schedule.grad_clip)
        self._optimiser.step()
        return loss.item()


@torch.no_grad()
def loss_of(model: PreTrainedModel, streams: Sequence[TokenStream], schedule: Schedule) -> float:
    """Mean cross-entropy of the written tokens, in nats; nan when there are none."""
    model.eval()
    total, count = 0.0, 0
    for rows in micro_batches(plan_rows(streams, shared_tokens=0), schedule.tokens_per_batch):
        batch = pack(streams, rows, model.device)
        with precision(model, bfloat16=schedule.bfloat16):
            total += F.cross_entropy(written_logits(model, batch).float(), batch.targets, reduction="sum").item()
        count += sum(sum(streams[index].written[1:]) for index in batch_order(rows))
    return total / count if count else math.nan


def write_policy(policy: Policy, directory: Path) -> None:
    """A model's files into an existing folder, an adapter merged into the weights beside it."""
    _write_form(policy, directory)
    save_file(dict(plain_weights(policy.model)), directory / "model.safetensors", metadata={"format": "pt"})


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


def _write_form(policy: Policy, directory: Path) -> None:
    policy.model.config.save_pretrained(directory)
    write_chat(policy, directory)
