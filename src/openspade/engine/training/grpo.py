"""The policy-gradient loss of docs/algorithm.md §4, and one optimiser step over trajectories of both roles."""

from __future__ import annotations

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

# exp(20) is about 5e8: large enough to be clipped, small enough to stay finite in float32.
LOG_RATIO_LIMIT = 20.0


class Clip(NamedTuple):
    """How far a token's probability may move, and how much the sampler's error may weigh."""

    low: float
    high: float
    sampler_ratio: float


class LossParts(NamedTuple):
    """`loss` is the weighted sum over written tokens; the rest, by token, carries no gradient and is 0 elsewhere."""

    loss: Float[Tensor, ""]
    policy: Float[Tensor, "batch time"]
    clipped: Bool[Tensor, "batch time"]
    kl: Float[Tensor, "batch time"]


def grpo_loss(  # noqa: PLR0913, PLR0917 - one argument a symbol of the formula
    logprobs: Float[Tensor, "batch time"],
    sampled_logprobs: Float[Tensor, "batch time"],
    old_logprobs: Float[Tensor, "batch time"],
    advantages: Float[Tensor, " batch"],
    written: Bool[Tensor, "batch time"],
    weights: Float[Tensor, " batch"],
    clip: Clip,
    *,
    reference_logprobs: Float[Tensor, "batch time"] | None = None,
    kl_weight: float = 0.0,
) -> LossParts:
    """-min(w A, clip(w) A) * min(exp(old - sampled), cap) + beta * KL with w = exp(new - old), weighted by row.

    Positions that were not written may hold anything, infinities too: they never reach exp.
    """
    advantage = advantages[:, None]
    ratio = _ratio(logprobs, old_logprobs, written)
    bounded = ratio.clamp(1 - clip.low, 1 + clip.high)
    correction = _ratio(old_logprobs, sampled_logprobs, written).clamp(max=clip.sampler_ratio).detach()
    policy = -torch.minimum(ratio * advantage, bounded * advantage) * correction
    kl = torch.zeros_like(policy)
    if reference_logprobs is not None:
        gap = _log_ratio(reference_logprobs, logprobs, written)
        kl = gap.exp() - gap - 1
    by_token = torch.where(written, (policy + kl_weight * kl) * weights[:, None], 0.0)
    clipped = written & (bounded * advantage < ratio * advantage)
    return LossParts(by_token.sum(), torch.where(written, policy, 0.0).detach(), clipped, kl.detach())


def row_weights(
    written_tokens: Float[Tensor, " batch"], aggregation: str, *, batch_tokens: float, batch_rows: float
) -> Float[Tensor, " batch"]:
    """What one token of each row weighs: `token-mean` over the whole batch, or the mean of each row's own mean."""
    if aggregation == "token-mean":
        return torch.full_like(written_tokens, 1.0 / max(1.0, batch_tokens))
    return 1.0 / (written_tokens.clamp(min=1.0) * max(1.0, batch_rows))


def _log_ratio(above: Tensor, below: Tensor, written: Tensor) -> Tensor:
    """log(above / below), 0 outside the mask; `where` on the inputs keeps infinities out of the gradient as well."""
    gap = torch.where(written, above, 0.0) - torch.where(written, below, 0.0)
    return gap.clamp(-LOG_RATIO_LIMIT, LOG_RATIO_LIMIT)


def _ratio(above: Tensor, below: Tensor, written: Tensor) -> Tensor:
    return _log_ratio(above, below, written).exp()
