"""Who writes the tokens of a policy on this machine: our own batches, or another library's on the same weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import torch
from transformers import PreTrainedModel

from openspade.engine.model.loading import Policy
from openspade.engine.sampling.batch import Sampled, sample_batch
from openspade.engine.sampling.decoder import Decoder, ModelDecoder
from openspade.engine.sampling.fused import FusedDecoder, is_fusable
from openspade.engine.sampling.prefix_cache import PrefixCache
from openspade.engine.training.forward import precision
from openspade.settings.learning import PolicyConfig
from openspade.tokens import Prompt


class RowSampler(Protocol):
    """Answers requests from a model's weights as they are now; one call at a time."""

    def sample(self, requests: Sequence[Prompt]) -> list[Sampled]: ...

    def forget(self) -> None:
        """The weights are about to change: nothing that was worked out from them may be used again."""
        ...


MakeSampler = Callable[[Policy, PolicyConfig], RowSampler]


class OwnSampler:
    """Continuous batches of our own; between the turns of a conversation what has been read stays in a prefix cache."""

    def __init__(self, policy: Policy, config: PolicyConfig) -> None:
        self._model: PreTrainedModel = policy.model
        self._stops = policy.chat.stop_ids
        self._rows = config.batch_rows
        self._bfloat16 = config.bfloat16
        self._decoder: Decoder | None = None
        self._prefixes = PrefixCache()

    def sample(self, requests: Sequence[Prompt]) -> list[Sampled]:
        if self._decoder is None:
            make = FusedDecoder if is_fusable(self._model) else ModelDecoder
            self._decoder = make(self._model, torch.bfloat16 if self._bfloat16 else torch.float32)
        with precision(self._model, bfloat16=self._bfloat16):
            return sample_batch(self._decoder, requests, stop_ids=self._stops, rows=self._rows, prefixes=self._prefixes)

    def forget(self) -> None:
        # The decoder holds joined copies of the weights, and a cache that training can use the room of.
        self._decoder, self._prefixes = None, PrefixCache()
