"""The loss of docs/algorithm.md §4 as a Tinker server takes it: three numbers for each token.

A server knows nothing of roles, groups or means. What a token weighs, how far the sampler was off and in which way
this server reduces its losses all go into the token's advantage.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from openspade.engine.tinker.tinker_server import Learner, Reduction, Step, TokenRow
from openspade.engine.training.grpo import LOG_RATIO_LIMIT, Clip, LossParts, grpo_loss, row_weights
from openspade.engine.training.packing import last_written
from openspade.errors import EngineError
from openspade.settings.learning import TrainConfig
from openspade.tokens import Role, Trajectory


@dataclass(frozen=True, kw_only=True)
class LossRow:
    """A trajectory from its second token on, cut after the last one written. `sampled` and `old` are log-probs."""

    role: Role
    ids: tuple[int, ...]
    advantage: float
    weight: float
    written: Tensor
    sampled: Tensor
    reported: Tensor
    old: Tensor
    reference: Tensor | None = None

    def compared_with(self, reference: Sequence[float]) -> LossRow:
        """This row with the log-probs that its KL penalty holds it to."""
        return replace(self, reference=torch.tensor(reference))

    def row(self, logprobs: Tensor, advantages: Tensor) -> TokenRow:
        """What is asked of the server; unwritten tokens have a ratio of 1 and no advantage."""
        known = torch.where(self.written, logprobs, self.old)
        return TokenRow(
            ids=self.ids,
            logprobs=tuple(known.tolist()),
            advantages=tuple(torch.where(self.written, advantages, 0.0).tolist()),
        )

    def loss(self, logprobs: Tensor, clip: Clip, kl_weight: float) -> LossParts:
        """The same loss that the local engine computes."""
        return grpo_loss(
            logprobs[None],
            self.sampled[None],
            self.old[None],
            torch.tensor([self.advantage]),
            self.written[None],
            torch.tensor([self.weight]),
            clip,
            reference_logprobs=None if self.reference is None else self.reference[None],
            kl_weight=kl_weight,
        )


@dataclass(frozen=True, kw_only=True)
class ClippedLoss:
    """The server clips. All steps are handed in before the first has run."""

    clip: Clip
    reduction: Reduction

    @staticmethod
    def of(train: TrainConfig, reduction: Reduction) -> ClippedLoss:
        return ClippedLoss(clip=_clip(train), reduction=reduction)

    async def learn(self, learner: Learner, shares: Sequence[Sequence[LossRow]]) -> list[Step]:
        """One optimiser step a share."""
        running = [learner.step(self._rows(share), "ppo", self.clip) for share in shares]
        return list(await asyncio.gather(*running))

    def _rows(self, share: Sequence[LossRow]) -> list[TokenRow]:
        rows = []
        for loss_row in share:
            gap = (loss_row.old - loss_row.sampled).clamp(-LOG_RATIO_LIMIT, LOG_RATIO_LIMIT)
            correction = gap.exp().clamp(max=self.clip.sampler_ratio)
            scale = loss_row.advantage * loss_row.weight * _undone(self.reduction, share, loss_row)
            rows.append(loss_row.row(loss_row.old, correction * scale))
        return rows


@dataclass(frozen=True, kw_only=True)
class OwnLoss:
    """Our loss, KL included: its gradient by each log-prob is worked out here and sent as that token's advantage.

    It travels as `importance_sampling` around the present log-probs, whose gradient there is the advantages
    themselves. (The SDK's `forward_backward_custom` sends them as weights, by whose sum SkyRL's JAX backend divides.)
    """

    clip: Clip
    reduction: Reduction
    kl_weight: float

    @staticmethod
    def of(train: TrainConfig, reduction: Reduction) -> OwnLoss:
        return OwnLoss(clip=_clip(train), reduction=reduction, kl_weight=train.kl)

    async def learn(self, learner: Learner, shares: Sequence[Sequence[LossRow]]) -> list[Step]:
        """One optimiser step a share, each after a look at the log-probs that the step before it left."""
        steps = []
        for number, share in enumerate(shares):
            now = [loss_row.old for loss_row in share]
            if number:
                now = [torch.tensor(row) for row in await learner.forward([blank(loss_row.ids) for loss_row in share])]
            rows = [self._row(loss_row, at, share) for loss_row, at in zip(share, now, strict=True)]
            steps.append(await learner.step(rows, "importance_sampling", self.clip))
        return steps

    def _row(self, loss_row: LossRow, now: Tensor, share: Sequence[LossRow]) -> TokenRow:
        now = now.clone().requires_grad_()
        (slope,) = torch.autograd.grad(loss_row.loss(now, self.clip, self.kl_weight).loss, now)
        return loss_row.row(now.detach(), -slope * _undone(self.reduction, share, loss_row))


@dataclass(frozen=True, kw_only=True)
class LossRunner:
    """From trajectories to optimiser steps. `temperatures` are those each role samples at."""

    loss: ClippedLoss | OwnLoss
    train: TrainConfig
    temperatures: Mapping[Role, float]

    async def learn(self, learner: Learner, trajectories: Sequence[Trajectory]) -> dict[str, float]:
        """One optimiser step a minibatch; what docs/engines.md lists of them."""
        began = time.perf_counter()
        useful = [t for t in trajectories if t.advantage and any(t.stream.written)]
        parts = min(self.train.minibatches, max(1, len(useful)))
        loss_rows = weigh(await self._loss_rows(learner, useful), trajectories, self.train, parts)
        shares = [loss_rows[number::parts] for number in range(parts)] if loss_rows else []
        steps = await self.loss.learn(learner, shares)
        scored = [row for step in steps for row in step.logprobs]
        told = metrics([item for share in shares for item in share], scored, self.loss.clip, self.train.kl)
        return {
            **told,
            **_gradient(steps),
            "train/steps": float(len(steps)),
            "train/useful_share": len(useful) / max(1, len(trajectories)),
            "train/seconds": time.perf_counter() - began,
        }

    async def _loss_rows(self, learner: Learner, useful: Sequence[Trajectory]) -> list[LossRow]:
        if not useful:
            return []
        before = await learner.forward([blank(t.stream.ids[: last_written(t.stream)]) for t in useful])
        loss_rows = [
            loss_row(trajectory, old, temperature=self.temperatures.get(trajectory.role, 1.0))
            for trajectory, old in zip(useful, before, strict=True)
        ]
        if not self.train.kl:
            return loss_rows
        first = await asyncio.gather(*(learner.first_logprobs(item.ids) for item in loss_rows))
        return [item.compared_with(row) for item, row in zip(loss_rows, first, strict=True)]


def blank(ids: tuple[int, ...]) -> TokenRow:
    """A question for log-probs alone."""
    nothing = (0.0,) * (len(ids) - 1)
    return TokenRow(ids=ids, logprobs=nothing, advantages=nothing)


def loss_row(trajectory: Trajectory, old: Sequence[float], *, temperature: float) -> LossRow:
    """What one trajectory teaches; its weight in the batch is set by `weigh`.

    Servers differ in whether they report log-probs at the sampling temperature, and none trains at it. Sampled at
    another than 1, the trainer's own log-probs before the step stand for the sampler's.
    """
    stream, end = trajectory.stream, last_written(trajectory.stream)
    before = torch.tensor(old)
    reported = torch.tensor(stream.logprobs[1:end])
    return LossRow(
        role=trajectory.role,
        ids=stream.ids[:end],
        advantage=trajectory.advantage,
        weight=0.0,
        written=torch.tensor(stream.written[1:end]),
        sampled=reported if temperature == 1 else before,
        reported=reported,
        old=before,
    )


def weigh(
    loss_rows: Sequence[LossRow], everything: Sequence[Trajectory], config: TrainConfig, parts: int
) -> list[LossRow]:
    """The rows with what one of their tokens weighs; trajectories that teach nothing count in the mean too."""
    if not loss_rows:
        return []
    weights = row_weights(
        torch.tensor([float(item.written.sum()) for item in loss_rows]),
        config.aggregation,
        batch_tokens=sum(sum(t.stream.written) for t in everything) / parts,
        batch_rows=len(everything) / parts,
    )
    return [replace(item, weight=weight) for item, weight in zip(loss_rows, weights.tolist(), strict=True)]


def metrics(
    loss_rows: Sequence[LossRow], logprobs: Sequence[Sequence[float]], clip: Clip, kl_weight: float
) -> dict[str, float]:
    """By role, what docs/engines.md lists; entropy is estimated from the tokens that were sampled."""
    sums: dict[Role, defaultdict[str, float]] = {}
    for item, row in zip(loss_rows, logprobs, strict=True):
        now = torch.tensor(row)
        parts = item.loss(now, clip, kl_weight)
        gap = torch.where(item.written, (item.old - item.reported).abs(), 0.0)
        own = sums.setdefault(item.role, defaultdict(float))
        for name, values in {
            "tokens": item.written,
            "loss": parts.policy,
            "entropy": torch.where(item.written, -now, 0.0),
            "clip_share": parts.clipped,
            "kl": parts.kl,
            "mismatch_mean": gap,
        }.items():
            own[name] += float(values.sum())
        own["mismatch_max"] = max(own["mismatch_max"], float(gap.max()))
    return _by_token(sums) | {"train/tokens": sum(own["tokens"] for own in sums.values())}


def _by_token(sums: Mapping[Role, Mapping[str, float]]) -> dict[str, float]:
    return {
        f"train/{role}_{name}": value if name in ("tokens", "mismatch_max") else value / max(1.0, own["tokens"])
        for role, own in sorted(sums.items())
        for name, value in own.items()
    }


def _gradient(steps: Sequence[Step]) -> dict[str, float]:
    norms = [step.grad_norm for step in steps if step.grad_norm is not None]
    if not all(map(math.isfinite, norms)):
        raise EngineError(
            f"the gradient's norm is {norms}, and the server has stepped: its weights are spoilt. `openspade resume` "
            "goes on from the last checkpoint; lower train.learning_rate or look at the advantages"
        )
    return {"train/grad_norm": sum(norms) / len(norms)} if norms else {}


def _clip(train: TrainConfig) -> Clip:
    return Clip(train.clip_low, train.clip_high, train.sampler_ratio_cap)


def _undone(reduction: Reduction, share: Sequence[LossRow], item: LossRow) -> float:
    """What the server's own mean divides by."""
    return float(len(share) * (len(item.ids) - 1)) if reduction == "mean" else 1.0
