"""Log-probs of the tokens a policy wrote: one forward pass of whole streams, the vocabulary only where it counts."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor
from transformers import PreTrainedModel

from openspade.engine.sampling.fused import head_weight, is_fusable
from openspade.engine.training.packing import Packed, visible


class Scored(NamedTuple):
    """By stream and time, 0 where nothing was written; `entropy` carries no gradient."""

    logprobs: Float[Tensor, "batch length"]
    entropy: Float[Tensor, "batch length"]


def precision(model: PreTrainedModel, *, bfloat16: bool) -> AbstractContextManager[object]:
    """bfloat16 in the matrix products only: steps of 1e-6 would vanish in weights of eight bits."""
    return torch.autocast(model.device.type, dtype=torch.bfloat16, enabled=bfloat16)


def score(model: PreTrainedModel, batch: Packed, temperature: Float[Tensor, " batch"]) -> Scored:
    """Log-probs and entropies at the temperature each stream was sampled at."""
    divisor = temperature[:, None].expand_as(batch.written)[batch.written]
    every = torch.log_softmax(written_logits(model, batch).float() / divisor[:, None], dim=-1)
    chosen = every.gather(-1, batch.targets[:, None])[:, 0]
    with torch.no_grad():
        entropy = -(every.exp() * every).sum(dim=-1)
    empty = torch.zeros_like(batch.sampled_logprobs)
    return Scored(empty.masked_scatter(batch.written, chosen), empty.masked_scatter(batch.written, entropy))


def shared_row_tokens(model: PreTrainedModel) -> int:
    """How long a row of several branches may be; 0 where the model's forward cannot take its mask.

    Branches attend over each other for nothing; past four times the width that costs more than reading a prompt again.
    """
    return 4 * model.config.hidden_size if is_fusable(model) else 0


def written_logits(model: PreTrainedModel, batch: Packed) -> Float[Tensor, "written vocabulary"]:
    """Logits before each written token. Padding is on the right, so rows of one branch need no mask."""
    if not is_fusable(model):
        return model(input_ids=batch.inputs, use_cache=False).logits.flatten(0, 1)[batch.source]
    mask = visible(batch) if batch.shared else None
    hidden = model.model(
        input_ids=batch.inputs, position_ids=batch.positions, attention_mask=mask, use_cache=False
    ).last_hidden_state
    return F.linear(hidden.flatten(0, 1)[batch.source], head_weight(model))
