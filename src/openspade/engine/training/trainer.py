"""Optimiser steps on trajectories: micro-batches by token budget, and what to report of them by role."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor
from transformers import PreTrainedModel

from openspade.engine.training.forward import score, shared_row_tokens
from openspade.engine.training.grpo import Clip, LossParts, grpo_loss, row_weights
from openspade.engine.training.packing import Packed, batch_order, last_written, micro_batches, pack, plan_rows
from openspade.errors import EngineError
from openspade.settings.learning import TrainConfig
from openspade.tokens import Role, Trajectory

ReferenceScores = Callable[[Packed, Tensor], Tensor]


def prepare_to_train(model: PreTrainedModel, config: TrainConfig) -> None:
    """What a model is told before its first step: to keep fewer activations, to compile its layers."""
    if config.gradient_checkpointing:
        # transformers 5.2x gave it this name; the old one goes in 6.
        enable = getattr(model, "activation_checkpointing_enable", None) or model.gradient_checkpointing_enable
        enable({"use_reentrant": False})
    if config.compile:
        # Shapes differ from batch to batch: compiled once for all of them.
        model.base_model.compile(dynamic=True)


@dataclass(frozen=True, kw_only=True)
class Trainer:
    """A model with its optimiser. `temperatures` are those its trajectories were sampled at, by role."""

    model: PreTrainedModel
    optimiser: torch.optim.Optimizer
    config: TrainConfig
    temperatures: Mapping[Role, float] = field(default_factory=dict)
    reference: ReferenceScores | None = None

    def learn(self, trajectories: Sequence[Trajectory]) -> dict[str, float]:
        """One optimiser step a minibatch; rows without advantage count in the mean and cost no forward pass."""
        began = time.perf_counter()
        tally = _Tally()
        useful = [t for t in trajectories if t.advantage != 0 and any(t.stream.written)]
        parts = min(self.config.minibatches, max(1, len(useful)))
        old = self._old_scores(useful) if parts > 1 else {}
        scale = len(useful) / max(1, len(trajectories))
        for number in range(parts):
            share = list(range(number, len(useful), parts))
            if share:
                self._step(useful, share, old, _Batch.of(trajectories, parts), tally)
        seconds = time.perf_counter() - began
        return tally.metrics() | {"train/seconds": seconds, "train/useful_share": scale}

    def _step(
        self, useful: Sequence[Trajectory], share: list[int], old: Mapping[int, Tensor], whole: _Batch, tally: _Tally
    ) -> None:
        self.model.train()
        self.optimiser.zero_grad(set_to_none=True)
        streams = [useful[i].stream for i in share]
        for rows in micro_batches(
            plan_rows(streams, shared_tokens=shared_row_tokens(self.model)), self.config.tokens_per_batch
        ):
            chosen = [share[i] for i in batch_order(rows)]
            batch = pack(streams, rows, self.model.device)
            self._accumulate(batch, [useful[i] for i in chosen], [old.get(i) for i in chosen], whole, tally)
        norm = float(torch.nn.utils.clip_grad_norm_(self.parameters(), self.config.grad_clip))
        if not math.isfinite(norm):
            self.optimiser.zero_grad(set_to_none=True)
            raise EngineError(
                f"the gradient's norm is {norm}; no step was taken. Lower train.learning_rate or look at the advantages"
            )
        self.optimiser.step()
        tally.norms.append(norm)

    def _accumulate(
        self, batch: Packed, rows: Sequence[Trajectory], old: Sequence[Tensor | None], whole: _Batch, tally: _Tally
    ) -> None:
        config, device = self.config, self.model.device
        temperature = self._temperature(rows)
        scored = score(self.model, batch, temperature)
        before = scored.logprobs.detach().clone()
        for index, known in enumerate(old):
            if known is not None:
                before[index, : len(known)] = known
        parts = grpo_loss(
            scored.logprobs,
            batch.sampled_logprobs,
            before,
            torch.tensor([row.advantage for row in rows], device=device),
            batch.written,
            row_weights(
                batch.written.sum(-1).float(), config.aggregation, batch_tokens=whole.tokens, batch_rows=whole.rows
            ),
            Clip(config.clip_low, config.clip_high, config.sampler_ratio_cap),
            reference_logprobs=self.reference(batch, temperature) if config.kl and self.reference else None,
            kl_weight=config.kl,
        )
        parts.loss.backward()
        tally.add(rows, batch, scored.entropy, parts, before)

    @torch.no_grad()
    def _old_scores(self, rows: Sequence[Trajectory]) -> dict[int, Tensor]:
        """The trainer's own log-probs before the first of several steps."""
        scores: dict[int, Tensor] = {}
        streams = [row.stream for row in rows]
        for some in micro_batches(
            plan_rows(streams, shared_tokens=shared_row_tokens(self.model)), self.config.tokens_per_batch
        ):
            chosen = batch_order(some)
            batch = pack(streams, some, self.model.device)
            scored = score(self.model, batch, self._temperature([rows[i] for i in chosen]))
            scores |= {i: scored.logprobs[at, : last_written(streams[i]) - 1] for at, i in enumerate(chosen)}
        return scores

    def _temperature(self, rows: Sequence[Trajectory]) -> Tensor:
        return torch.tensor([self.temperatures.get(row.role, 1.0) for row in rows], device=self.model.device)

    def parameters(self) -> list[torch.nn.Parameter]:
        return [p for p in self.model.parameters() if p.requires_grad]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Batch:
    """What means are taken over: the written tokens and rows of one optimiser step's share."""

    tokens: float
    rows: float

    @staticmethod
    def of(trajectories: Sequence[Trajectory], parts: int) -> _Batch:
        tokens = sum(sum(t.stream.written) for t in trajectories)
        return _Batch(tokens=tokens / parts, rows=len(trajectories) / parts)


class _Tally:
    """Sums by role over micro-batches."""

    def __init__(self) -> None:
        self.norms: list[float] = []
        self._sums: dict[Role, defaultdict[str, float]] = {}

    def add(self, rows: Sequence[Trajectory], batch: Packed, entropy: Tensor, parts: LossParts, before: Tensor) -> None:
        """`before` are the trainer's log-probs before the first step: what parts them from the sampler's is no step."""
        gap = torch.where(batch.written, (before - batch.sampled_logprobs).abs(), 0.0)
        columns = {
            "tokens": batch.written.sum(-1).tolist(),
            "loss": parts.policy.sum(-1).tolist(),
            "entropy": entropy.sum(-1).tolist(),
            "clip_share": parts.clipped.sum(-1).tolist(),
            "kl": parts.kl.sum(-1).tolist(),
            "mismatch_mean": gap.sum(-1).tolist(),
        }
        for index, (row, largest) in enumerate(zip(rows, gap.amax(-1).tolist(), strict=True)):
            sums = self._sums.setdefault(row.role, defaultdict(float))
            for name, values in columns.items():
                sums[name] += values[index]
            sums["mismatch_max"] = max(sums["mismatch_max"], largest)

    def metrics(self) -> dict[str, float]:
        metrics = {
            "train/grad_norm": sum(self.norms) / len(self.norms) if self.norms else 0.0,
            "train/steps": float(len(self.norms)),
        }
        for role, sums in sorted(self._sums.items()):
            tokens = max(1.0, sums["tokens"])
            totals = ("tokens", "mismatch_max")
            metrics |= {
                f"train/{role}_{name}": value if name in totals else value / tokens for name, value in sums.items()
            }
        metrics["train/tokens"] = sum(sums["tokens"] for sums in self._sums.values())
        return metrics
