"""Log-probs of the tokens a policy wrote: one forward pass of whole streams, the vocabulary only where it counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from transformers import PreTrainedModel

from openspade.engine.fused import FUSED_TYPES
from openspade.types import TokenStream


class Padded(NamedTuple):
    """Streams as rows, padded on the right. `written[i, t]` tells whether token t + 1 of row i was sampled."""

    inputs: Int[Tensor, "batch time"]
    targets: Int[Tensor, "batch time"]
    written: Bool[Tensor, "batch time"]
    sampled_logprobs: Float[Tensor, "batch time"]


class Scored(NamedTuple):
    """By row and time, zero where nothing was written; `entropy` carries no gradient."""

    logprobs: Float[Tensor, "batch time"]
    entropy: Float[Tensor, "batch time"]


def last_written(stream: TokenStream) -> int:
    """Tokens up to and with the last sampled one: what follows teaches nothing."""
    return len(stream.written) - stream.written[::-1].index(True) if any(stream.written) else 0


def micro_batches(lengths: Sequence[int], tokens: int) -> Iterator[list[int]]:
    """Indices of alike lengths, longest first, at most `tokens` padded tokens together (a longer one stands alone)."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda i: (-lengths[i], i)):
        if batch and lengths[batch[0]] * (len(batch) + 1) > tokens:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def pad(streams: Sequence[TokenStream], device: torch.device) -> Padded:
    """Rows of a forward pass, cut after each one's last written token."""
    ends = [max(2, last_written(stream)) for stream in streams]
    width = max(ends)

    def rows(values: Sequence[Sequence[float]], dtype: torch.dtype) -> Tensor:
        filled = torch.zeros(len(values), width, dtype=dtype)
        for row, (value, end) in enumerate(zip(values, ends, strict=True)):
            filled[row, : min(end, len(value))] = torch.tensor(value[:end], dtype=dtype)
        return filled.to(device)

    ids = rows([stream.ids for stream in streams], torch.long)
    return Padded(
        inputs=ids[:, :-1],
        targets=ids[:, 1:],
        written=rows([stream.written for stream in streams], torch.bool)[:, 1:],
        sampled_logprobs=rows([stream.logprobs for stream in streams], torch.float32)[:, 1:],
    )


def score(model: PreTrainedModel, batch: Padded, temperature: Float[Tensor, " batch"]) -> Scored:
    """Log-probs and entropies at the temperature each row was sampled at; padding is on the right, so no mask is needed."""
    logits = written_logits(model, batch)
    divisor = temperature[:, None].expand_as(batch.written)[batch.written]
    every = torch.log_softmax(logits.float() / divisor[:, None], dim=-1)
    chosen = every.gather(-1, batch.targets[batch.written][:, None])[:, 0]
    with torch.no_grad():
        entropy = -(every.exp() * every).sum(dim=-1)
    empty = torch.zeros_like(batch.sampled_logprobs)
    return Scored(empty.masked_scatter(batch.written, chosen), empty.masked_scatter(batch.written, entropy))


def written_logits(model: PreTrainedModel, batch: Padded) -> Float[Tensor, "written vocabulary"]:
    """Logits before each written token, row by row."""
    if model.config.model_type in FUSED_TYPES:
        hidden = model.model(input_ids=batch.inputs, use_cache=False).last_hidden_state
        return model.get_output_embeddings()(hidden[batch.written])
    return model(input_ids=batch.inputs, use_cache=False).logits[batch.written]
