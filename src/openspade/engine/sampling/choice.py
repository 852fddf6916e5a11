"""One token a row from logits, each row by its own uniform number, so that neighbours cannot change a draw."""

from __future__ import annotations

from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor


class Settings(NamedTuple):
    """Sampling settings of the rows of a batch; `filtered` is False when no row uses top-p or top-k."""

    temperature: Float[Tensor, " rows"]
    top_p: Float[Tensor, " rows"]
    top_k: Int[Tensor, " rows"]
    filtered: bool
    greedy: bool


class Choice(NamedTuple):
    """The tokens and their log-probs at the row's temperature, before top-p and top-k."""

    tokens: Int[Tensor, " rows"]
    logprobs: Float[Tensor, " rows"]


def choose(logits: Float[Tensor, "rows vocabulary"], uniforms: Float[Tensor, " rows"], settings: Settings) -> Choice:
    """Inverse-transform sampling; temperature 0 takes the likeliest token and reports log-probs at temperature 1."""
    divisor = torch.where(settings.temperature > 0, settings.temperature, 1.0)
    logprobs = torch.log_softmax(logits.float() / divisor[:, None], dim=-1)
    probabilities = logprobs.exp()
    if settings.filtered:
        probabilities = _filter(probabilities, settings.top_p, settings.top_k)
    cumulative = probabilities.cumsum(dim=-1)
    total = cumulative[:, -1:].contiguous()
    tokens = torch.searchsorted(cumulative, uniforms[:, None] * total, right=True)
    # Rounding may push the last draw past the end: the first index that reaches the total has probability.
    tokens = torch.minimum(tokens, torch.searchsorted(cumulative, total))
    if settings.greedy:
        tokens = torch.where(settings.temperature[:, None] > 0, tokens, logprobs.argmax(dim=-1, keepdim=True))
    return Choice(tokens[:, 0], logprobs.gather(-1, tokens)[:, 0])


def _filter(
    probabilities: Float[Tensor, "rows vocabulary"], top_p: Float[Tensor, " rows"], top_k: Int[Tensor, " rows"]
) -> Float[Tensor, "rows vocabulary"]:
    """Zeroes what lies outside the k likeliest tokens and the smallest set that reaches `top_p` among those."""
    ordered, order = probabilities.sort(dim=-1, descending=True, stable=True)
    rank = torch.arange(ordered.shape[-1], device=ordered.device)
    within_k = (rank < top_k[:, None]) | (top_k[:, None] == 0)
    ordered = torch.where(within_k, ordered, 0.0)
    ordered = ordered / ordered.sum(dim=-1, keepdim=True)
    before = ordered.cumsum(dim=-1) - ordered
    ordered = torch.where((before < top_p[:, None]) | (rank == 0), ordered, 0.0)
    return torch.zeros_like(probabilities).scatter(-1, order, ordered)
