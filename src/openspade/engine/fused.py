"""A compact inference path for Llama-type layers: the same weights and numbers, a fraction of the calls."""

from __future__ import annotations

from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn
from transformers import PreTrainedModel

from openspade.engine.decoder import KeyValues

FUSED_TYPES = frozenset({"llama", "qwen2", "qwen3", "mistral"})


class _Layer(NamedTuple):
    before_attention: Tensor
    qkv: Tensor
    qkv_bias: Tensor | None
    query_norm: Tensor | None
    key_norm: Tensor | None
    out: Tensor
    out_bias: Tensor | None
    before_mlp: Tensor
    gate_up: Tensor
    down: Tensor


def is_fusable(model: PreTrainedModel) -> bool:
    """Whether the compact path computes what the model's own forward does."""
    config = model.config
    return (
        config.model_type in FUSED_TYPES
        and getattr(config, "hidden_act", "") == "silu"
        and not getattr(config, "mlp_bias", False)
        and not getattr(config, "sliding_window", None)
    )


class FusedDecoder:
    """Decodes with joined query-key-value and gate-up weights. Make a new one after the weights have changed."""

    def __init__(self, model: PreTrainedModel) -> None:
        config = model.config
        self._heads: int = config.num_attention_heads
        self._kv_heads: int = config.num_key_value_heads
        self._size: int = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        self._eps: float = config.rms_norm_eps
        body = model.model
        self._embedding: Tensor = body.embed_tokens.weight.detach()
        self._layers = [_read_layer(layer) for layer in body.layers]
        self._norm: Tensor = body.norm.weight.detach()
        self._head: Tensor = _weight(model.get_output_embeddings())
        self._inverse_frequencies: Tensor = body.rotary_emb.inv_freq
        self._rotary_scale: float = body.rotary_emb.attention_scaling
        self._turns = self._embedding.new_empty(0, 2, self._size)
        self.cache = KeyValues(
            layers=len(self._layers),
            heads=self._kv_heads,
            head_size=self._size,
            dtype=self._embedding.dtype,
            device=self._embedding.device,
        )

    def prefill(
        self, ids: Int[Tensor, "prompts time"], lengths: Int[Tensor, " prompts"], rows: Int[Tensor, " prompts"]
    ) -> Float[Tensor, "prompts vocabulary"]:
        prompts, time = ids.shape
        turn = self._rotation(time)[:time, :, None]
        hidden = self._embedding[ids]
        for index, layer in enumerate(self._layers):
            query, key, value = self._project(layer, hidden, turn)
            query, key, value = query.transpose(1, 2), key.transpose(1, 2), value.transpose(1, 2)
            self.cache.keys[index, rows, :, :time] = key
            self.cache.values[index, rows, :, :time] = value
            mixed = F.scaled_dot_product_attention(query, key, value, is_causal=True, enable_gqa=self._kv_heads != self._heads)
            hidden = self._finish(layer, hidden, mixed.transpose(1, 2).reshape(prompts, time, -1))
        return self._logits(hidden[torch.arange(prompts, device=ids.device), lengths - 1])

    def step(self, tokens: Int[Tensor, " rows"], positions: Int[Tensor, " rows"]) -> Float[Tensor, "rows vocabulary"]:
        rows, length = len(tokens), int(positions.max()) + 1
        at = torch.arange(rows, device=tokens.device)
        turn = self._rotation(length)[positions][:, :, None]
        hidden = self._embedding[tokens]
        unseen = (torch.arange(length, device=tokens.device) > positions[:, None])[:, None, None]
        seen = torch.zeros(unseen.shape, dtype=hidden.dtype, device=hidden.device).masked_fill_(unseen, float("-inf"))
        for index, layer in enumerate(self._layers):
            query, key, value = self._project(layer, hidden, turn)
            self.cache.keys[index, at, :, positions] = key
            self.cache.values[index, at, :, positions] = value
            keys, values = self.cache.keys[index, :rows, :, :length], self.cache.values[index, :rows, :, :length]
            grouped = query.view(rows, self._kv_heads, -1, self._size)
            mixed = F.scaled_dot_product_attention(grouped, keys, values, attn_mask=seen)
            hidden = self._finish(layer, hidden, mixed.reshape(rows, -1))
        return self._logits(hidden)

    def _project(self, layer: _Layer, hidden: Tensor, turn: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Queries, keys and values by head, queries and keys turned to their positions."""
        width = hidden.shape[-1:]
        joined = F.linear(F.rms_norm(hidden, width, layer.before_attention, self._eps), layer.qkv, layer.qkv_bias)
        joined = joined.unflatten(-1, (-1, self._size))
        turned, value = joined.split([self._heads + self._kv_heads, self._kv_heads], dim=-2)
        if layer.query_norm is not None and layer.key_norm is not None:
            query, key = turned.split([self._heads, self._kv_heads], dim=-2)
            size = (self._size,)
            query = F.rms_norm(query, size, layer.query_norm, self._eps)
            turned = torch.cat([query, F.rms_norm(key, size, layer.key_norm, self._eps)], dim=-2)
        half = self._size // 2
        swapped = torch.cat([turned[..., half:], turned[..., :half]], dim=-1)
        turned = turned * turn[..., 0, :, :] + swapped * turn[..., 1, :, :]
        query, key = turned.split([self._heads, self._kv_heads], dim=-2)
        return query, key, value

    def _finish(self, layer: _Layer, hidden: Tensor, mixed: Tensor) -> Tensor:
        hidden = hidden + F.linear(mixed, layer.out, layer.out_bias)
        gate, up = F.linear(F.rms_norm(hidden, hidden.shape[-1:], layer.before_mlp, self._eps), layer.gate_up).chunk(2, dim=-1)
        return hidden + F.linear(F.silu(gate) * up, layer.down)

    def _logits(self, hidden: Tensor) -> Tensor:
        return F.linear(F.rms_norm(hidden, hidden.shape[-1:], self._norm, self._eps), self._head)

    def _rotation(self, length: int) -> Tensor:
        """Cosine and signed sine by position."""
        if length > len(self._turns):
            angles = torch.outer(
                torch.arange(length + self.cache.capacity, device=self._embedding.device).float(), self._inverse_frequencies.float()
            )
            cosine, sine = angles.cos() * self._rotary_scale, angles.sin() * self._rotary_scale
            both = torch.stack([torch.cat([cosine, cosine], dim=-1), torch.cat([-sine, sine], dim=-1)], dim=1)
            self._turns = both.to(self._embedding.dtype)
        return self._turns


def _read_layer(layer: nn.Module) -> _Layer:
    attention, mlp = layer.self_attn, layer.mlp
    projections = (attention.q_proj, attention.k_proj, attention.v_proj)
    biases = [_bias(projection) for projection in projections]
    query_norm, key_norm = getattr(attention, "q_norm", None), getattr(attention, "k_norm", None)
    return _Layer(
        before_attention=layer.input_layernorm.weight.detach(),
        qkv=torch.cat([_weight(projection) for projection in projections]),
        qkv_bias=None if any(bias is None for bias in biases) else torch.cat([bias for bias in biases if bias is not None]),
        query_norm=None if query_norm is None else query_norm.weight.detach(),
        key_norm=None if key_norm is None else key_norm.weight.detach(),
        out=_weight(attention.o_proj),
        out_bias=_bias(attention.o_proj),
        before_mlp=layer.post_attention_layernorm.weight.detach(),
        gate_up=torch.cat([_weight(mlp.gate_proj), _weight(mlp.up_proj)]),
        down=_weight(mlp.down_proj),
    )


def _weight(linear: nn.Module) -> Tensor:
    """A linear's weight, an adapter's part added."""
    base = getattr(linear, "base_layer", linear)
    weight: Tensor = base.weight.detach()
    for adapter in getattr(linear, "active_adapters", []):
        weight = weight + linear.get_delta_weight(adapter).detach()
    return weight


def _bias(linear: nn.Module) -> Tensor | None:
    bias = getattr(linear, "base_layer", linear).bias
    return None if bias is None else bias.detach()
