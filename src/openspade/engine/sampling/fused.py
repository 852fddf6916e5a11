"""A compact inference path for Llama-type layers: the same weights and numbers, a fraction of the calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, cast

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn
from transformers import PreTrainedModel

from openspade.engine.model.merged import merged_weight
from openspade.engine.sampling.decoder import KeyValues, PrefillBatch

BLOCK_ROWS = 64
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


class _Block(NamedTuple):
    rows: slice
    length: int
    mask: Tensor


class FusedDecoder:
    """Decodes with joined query-key-value and gate-up weights. Make a new one after the weights have changed."""

    continues = True

    def __init__(self, model: PreTrainedModel, dtype: torch.dtype = torch.float32) -> None:
        config = model.config
        self._heads: int = config.num_attention_heads
        self._kv_heads: int = config.num_key_value_heads
        self._size: int = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        self._eps: float = config.rms_norm_eps
        self._embedding = model.get_parameter("model.embed_tokens.weight").detach().to(dtype)
        self._layers = [_read_layer(layer, dtype) for layer in model.get_submodule("model.layers").children()]
        self._norm = model.get_parameter("model.norm.weight").detach().to(dtype)
        self._head = self._embedding if model.config.tie_word_embeddings else head_weight(model).detach().to(dtype)
        rotary = model.get_submodule("model.rotary_emb")
        self._inverse_frequencies = rotary.get_buffer("inv_freq")
        self._rotary_scale = float(cast("float", rotary.attention_scaling))
        self._turns = self._embedding.new_empty(0, 2, self._size)
        self.cache = KeyValues(
            layers=len(self._layers),
            heads=self._kv_heads,
            head_size=self._size,
            dtype=self._embedding.dtype,
            device=self._embedding.device,
        )

    def prefill(self, prompts: PrefillBatch) -> Float[Tensor, "prompts vocabulary"]:
        time = prompts.ids.shape[1]

        def attend(index: int, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
            query, key, value = query.transpose(1, 2), key.transpose(1, 2), value.transpose(1, 2)
            self.cache.keys[index, prompts.rows, :, :time] = key
            self.cache.values[index, prompts.rows, :, :time] = value
            return F.scaled_dot_product_attention(
                query, key, value, is_causal=True, enable_gqa=self._kv_heads != self._heads
            ).transpose(1, 2)

        hidden = self._through(self._embedding[prompts.ids], self._rotation(time)[:time, :, None], attend)
        return self._last_logits(hidden, prompts)

    def go_on(self, rest: PrefillBatch, held: Int[Tensor, " prompts"]) -> Float[Tensor, "prompts vocabulary"]:
        positions = held[:, None] + torch.arange(rest.ids.shape[1], device=held.device)
        # What lies beyond a shorter prompt's end is written too, and overwritten before it is ever looked at.
        length = int(positions.max()) + 1
        self.cache.reserve(self.cache.rows, length)
        seen = self._additive(torch.arange(length, device=held.device) <= positions[:, :, None])[:, None]
        at = rest.rows[:, None].expand_as(positions)

        def attend(index: int, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
            keys, values = self.cache.keys[index], self.cache.values[index]
            keys[at, :, positions] = key
            values[at, :, positions] = value
            return F.scaled_dot_product_attention(
                query.transpose(1, 2),
                keys[rest.rows, :, :length],
                values[rest.rows, :, :length],
                attn_mask=seen,
                enable_gqa=self._kv_heads != self._heads,
            ).transpose(1, 2)

        turn = self._rotation(length)[positions][:, :, :, None]
        return self._last_logits(self._through(self._embedding[rest.ids], turn, attend), rest)

    def step(self, tokens: Int[Tensor, " rows"], positions: Int[Tensor, " rows"]) -> Float[Tensor, "rows vocabulary"]:
        rows = len(tokens)
        at = torch.arange(rows, device=tokens.device)
        blocks = self._blocks(positions)

        def attend(index: int, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
            self.cache.keys[index, at, :, positions] = key
            self.cache.values[index, at, :, positions] = value
            grouped = query.view(rows, self._kv_heads, -1, self._size)
            return torch.cat([self._attend(index, grouped, block) for block in blocks])

        turn = self._rotation(int(positions.max()) + 1)[positions][:, :, None]
        return self._logits(self._through(self._embedding[tokens], turn, attend))

    def _through(self, hidden: Tensor, turn: Tensor, attend: Callable[[int, Tensor, Tensor, Tensor], Tensor]) -> Tensor:
        """All layers; `attend` keeps a layer's keys and values and mixes the values by head."""
        for index, layer in enumerate(self._layers):
            mixed = attend(index, *self._project(layer, hidden, turn))
            hidden = self._finish(layer, hidden, mixed.reshape(*hidden.shape[:-1], -1))
        return hidden

    def _last_logits(self, hidden: Tensor, read: PrefillBatch) -> Tensor:
        return self._logits(hidden[torch.arange(len(hidden), device=hidden.device), read.lengths - 1])

    def _blocks(self, positions: Tensor) -> list[_Block]:
        """Rows in blocks: decoding is bound by reading the cache, and a block reads no further than its longest row."""
        blocks: list[_Block] = []
        for start, part in zip(range(0, len(positions), BLOCK_ROWS), positions.split(BLOCK_ROWS), strict=True):
            length = int(part.max()) + 1
            seen = torch.arange(length, device=positions.device) <= part[:, None]
            blocks.append(_Block(slice(start, start + len(part)), length, self._additive(seen)[:, None, None]))
        return blocks

    def _attend(self, index: int, query: Tensor, block: _Block) -> Tensor:
        keys = self.cache.keys[index, block.rows, :, : block.length]
        values = self.cache.values[index, block.rows, :, : block.length]
        return F.scaled_dot_product_attention(query[block.rows], keys, values, attn_mask=block.mask)

    def _additive(self, seen: Tensor) -> Tensor:
        zeros = torch.zeros(seen.shape, dtype=self._embedding.dtype, device=seen.device)
        return zeros.masked_fill_(~seen, float("-inf"))

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
        gate, up = F.linear(F.rms_norm(hidden, hidden.shape[-1:], layer.before_mlp, self._eps), layer.gate_up).chunk(
            2, dim=-1
        )
        return hidden + F.linear(F.silu(gate) * up, layer.down)

    def _logits(self, hidden: Tensor) -> Tensor:
        return F.linear(F.rms_norm(hidden, hidden.shape[-1:], self._norm, self._eps), self._head)

    def _rotation(self, length: int) -> Tensor:
        """Cosine and signed sine by position."""
        if length > len(self._turns):
            angles = torch.outer(
                torch.arange(length + self.cache.capacity, device=self._embedding.device).float(),
                self._inverse_frequencies.float(),
            )
            cosine, sine = angles.cos() * self._rotary_scale, angles.sin() * self._rotary_scale
            both = torch.stack([torch.cat([cosine, cosine], dim=-1), torch.cat([-sine, sine], dim=-1)], dim=1)
            self._turns = both.to(self._embedding.dtype)
        return self._turns


def _read_layer(layer: nn.Module, dtype: torch.dtype) -> _Layer:
    projections = [layer.get_submodule(f"self_attn.{name}_proj") for name in "qkv"]
    biases = [bias for projection in projections if (bias := _bias(projection)) is not None]
    out = layer.get_submodule("self_attn.o_proj")
    has_norms = hasattr(layer.get_submodule("self_attn"), "q_norm")
    found = _Layer(
        before_attention=layer.get_parameter("input_layernorm.weight").detach(),
        qkv=torch.cat([merged_weight(projection) for projection in projections]),
        qkv_bias=torch.cat(biases) if biases else None,
        query_norm=layer.get_parameter("self_attn.q_norm.weight").detach() if has_norms else None,
        key_norm=layer.get_parameter("self_attn.k_norm.weight").detach() if has_norms else None,
        out=merged_weight(out),
        out_bias=_bias(out),
        before_mlp=layer.get_parameter("post_attention_layernorm.weight").detach(),
        gate_up=torch.cat([merged_weight(layer.get_submodule(f"mlp.{name}_proj")) for name in ("gate", "up")]),
        down=merged_weight(layer.get_submodule("mlp.down_proj")),
    )
    return _Layer._make(None if tensor is None else tensor.to(dtype) for tensor in found)


def head_weight(model: PreTrainedModel) -> nn.Parameter:
    """The vocabulary's weights, which may be the embedding's."""
    return model.get_parameter("model.embed_tokens.weight" if model.config.tie_word_embeddings else "lm_head.weight")


def _bias(linear: nn.Module) -> Tensor | None:
    bias = cast("Tensor | None", getattr(linear, "base_layer", linear).bias)
    return None if bias is None else bias.detach()
