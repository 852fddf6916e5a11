"""Next-token logits for many sequences at once, from a cache whose rows are at different lengths."""

from __future__ import annotations

import inspect
from typing import NamedTuple, Protocol

import torch
from jaxtyping import Float, Int
from torch import Tensor
from transformers import Cache, PreTrainedModel

GROWTH_TOKENS = 64


class KeyValues:
    """Keys and values by layer, row and position. A row's token p stands at position p."""

    def __init__(self, *, layers: int, heads: int, head_size: int, dtype: torch.dtype, device: torch.device) -> None:
        self._empty = torch.empty(layers, 0, heads, 0, head_size, dtype=dtype, device=device)
        self.keys, self.values = self._empty, self._empty

    @property
    def rows(self) -> int:
        return self.keys.shape[1]

    @property
    def capacity(self) -> int:
        return self.keys.shape[3]

    def reserve(self, rows: int, tokens: int) -> None:
        """Makes room, keeping what is there."""
        if rows <= self.rows and tokens <= self.capacity:
            return
        layers, _, heads, _, size = self.keys.shape
        room = max(self.capacity, tokens + max(GROWTH_TOKENS, tokens // 4) if tokens > self.capacity else 0)
        shape = (layers, max(rows, self.rows), heads, room, size)
        keys, values = self.keys.new_zeros(shape), self.values.new_zeros(shape)
        keys[:, : self.rows, :, : self.capacity] = self.keys
        values[:, : self.rows, :, : self.capacity] = self.values
        self.keys, self.values = keys, values

    def put(self, row: int, keys: Tensor, values: Tensor) -> None:
        """Writes the first positions of a row, given by layer and head."""
        self.keys[:, row, :, : keys.shape[2]] = keys
        self.values[:, row, :, : values.shape[2]] = values

    def copy_row(self, source: int, target: int, tokens: int) -> None:
        """The first tokens of one row become those of another: plays of a group share their prompt."""
        self.keys[:, target, :, :tokens] = self.keys[:, source, :, :tokens]
        self.values[:, target, :, :tokens] = self.values[:, source, :, :tokens]


class PrefillBatch(NamedTuple):
    """Tokens to read, padded on the right, and the rows they go to."""

    ids: Int[Tensor, "prompts time"]
    lengths: Int[Tensor, " prompts"]
    rows: Int[Tensor, " prompts"]


class Decoder(Protocol):
    """A model and its cache. `continues` tells whether prompts may go on from what their rows already hold."""

    cache: KeyValues
    continues: bool

    def prefill(self, prompts: PrefillBatch) -> Float[Tensor, "prompts vocabulary"]:
        """Reads whole prompts; logits after each one's last token."""
        ...

    def go_on(self, rest: PrefillBatch, held: Int[Tensor, " prompts"]) -> Float[Tensor, "prompts vocabulary"]:
        """As `prefill`, for the rest of prompts of which the rows hold the first `held` tokens."""
        ...

    def step(self, tokens: Int[Tensor, " rows"], positions: Int[Tensor, " rows"]) -> Float[Tensor, "rows vocabulary"]:
        """Appends one token to each of the first rows; logits after it."""
        ...


class ModelDecoder:
    """Any transformers causal model that takes a four-dimensional mask, through its own forward."""

    continues = False

    def __init__(self, model: PreTrainedModel, dtype: torch.dtype = torch.float32) -> None:
        config = model.config.get_text_config()
        self._dtype = dtype
        self._model = model
        # transformers renamed the argument in 5.2x and drops the old name in 5.40.
        parameters = inspect.signature(model.forward).parameters
        self._argument = "cache" if "cache" in parameters else "past_key_values"
        self.cache = KeyValues(
            layers=config.num_hidden_layers,
            heads=getattr(config, "num_key_value_heads", None) or config.num_attention_heads,
            head_size=getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads,
            dtype=dtype,
            device=model.device,
        )

    def prefill(self, prompts: PrefillBatch) -> Float[Tensor, "prompts vocabulary"]:
        ids = prompts.ids
        time = ids.shape[1]
        seen = torch.ones(time, time, dtype=torch.bool, device=ids.device).tril()
        output = self._model(
            input_ids=ids,
            position_ids=torch.arange(time, device=ids.device).expand_as(ids),
            attention_mask=_additive(seen[None, None].expand(ids.shape[0], 1, -1, -1), self._dtype),
            use_cache=True,
            **{self._argument: _SlotCache(self.cache, prompts.rows, None)},
        )
        return output.logits[torch.arange(ids.shape[0], device=ids.device), prompts.lengths - 1]

    def go_on(self, rest: PrefillBatch, held: Int[Tensor, " prompts"]) -> Float[Tensor, "prompts vocabulary"]:
        raise NotImplementedError("this decoder reads prompts whole")

    def step(self, tokens: Int[Tensor, " rows"], positions: Int[Tensor, " rows"]) -> Float[Tensor, "rows vocabulary"]:
        length = int(positions.max()) + 1
        seen = torch.arange(length, device=tokens.device) <= positions[:, None]
        output = self._model(
            input_ids=tokens[:, None],
            position_ids=positions[:, None],
            attention_mask=_additive(seen[:, None, None], self._dtype),
            use_cache=True,
            **{self._argument: _SlotCache(self.cache, torch.arange(len(tokens), device=tokens.device), positions)},
        )
        return output.logits[:, -1]


def _additive(seen: Tensor, dtype: torch.dtype) -> Tensor:
    return torch.zeros(seen.shape, dtype=dtype, device=seen.device).masked_fill(~seen, torch.finfo(dtype).min)


class _SlotCache(Cache):
    """Hands a model our rows: whole prompts from position 0, or one token at each row's own position."""

    def __init__(self, cache: KeyValues, rows: Tensor, positions: Tensor | None) -> None:
        super().__init__(layers=[])
        self._cache, self._rows, self._positions = cache, rows, positions

    def update(
        self, key_states: Tensor, value_states: Tensor, layer_idx: int, *args: object, **kwargs: object
    ) -> tuple[Tensor, Tensor]:
        keys, values = self._cache.keys[layer_idx], self._cache.values[layer_idx]
        if self._positions is None:
            keys[self._rows, :, : key_states.shape[2]] = key_states.to(keys.dtype)
            values[self._rows, :, : key_states.shape[2]] = value_states.to(values.dtype)
            return key_states, value_states
        keys[self._rows, :, self._positions] = key_states[:, :, 0].to(keys.dtype)
        values[self._rows, :, self._positions] = value_states[:, :, 0].to(values.dtype)
        rows, length = len(self._rows), int(self._positions.max()) + 1
        return keys[:rows, :, :length], values[:rows, :, :length]

    def get_seq_length(self, layer_idx: int = 0) -> int:
        return 0 if self._positions is None else int(self._positions.max())
