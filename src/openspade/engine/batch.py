"""Continuous batching: finished rows retire, waiting requests take their place, and equal prompts are read once."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Literal, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from openspade.engine.choice import Settings, choose
from openspade.engine.decoder import Decoder
from openspade.types import Prompt

PREFILL_TOKENS = 16_384
REFILL_SHARE = 8
COMPACT_SHARE = 4


class Sampled(NamedTuple):
    """What one request got; log-probs are those at its temperature, before top-p and top-k."""

    ids: tuple[int, ...]
    logprobs: tuple[float, ...]
    stop: Literal["stop", "length"]


@torch.inference_mode()
def sample_batch(decoder: Decoder, requests: Sequence[Prompt], *, stop_ids: frozenset[int], rows: int) -> list[Sampled]:
    """One answer a request, in order. Each row draws from its own seed, whatever stands beside it."""
    batch = _Batch(decoder, requests, stop_ids, rows)
    while batch.waiting or batch.active:
        batch.admit()
        batch.step()
    return [answer for answer in batch.answers if answer is not None]


class _Batch:
    """The rows being decoded. Row i of the cache belongs to request `owners[i]`; None once it has retired."""

    def __init__(self, decoder: Decoder, requests: Sequence[Prompt], stop_ids: frozenset[int], rows: int) -> None:
        self.answers: list[Sampled | None] = [None] * len(requests)
        self._requests = requests
        # Long answers first, so that none is left alone at the end; equal prompts side by side.
        order = sorted(range(len(requests)), key=lambda i: (-requests[i].sampling.max_tokens, len(requests[i].ids), requests[i].ids, i))
        self.waiting = deque(order)
        self.owners: list[int | None] = []
        self._decoder = decoder
        self._limit = rows
        device = decoder.cache.keys.device
        self._stops = torch.tensor(sorted(stop_ids), device=device)
        longest = max((request.sampling.max_tokens for request in requests), default=0)
        size = min(rows, len(requests))
        self._tokens = torch.zeros(size, dtype=torch.long, device=device)
        self._positions = torch.zeros(size, dtype=torch.long, device=device)
        self._counts = torch.zeros(size, dtype=torch.long, device=device)
        self._limits = torch.ones(size, dtype=torch.long, device=device)
        self._live = torch.zeros(size, dtype=torch.bool, device=device)
        self._ids = torch.zeros(size, longest, dtype=torch.long, device=device)
        self._logprobs = torch.zeros(size, longest, device=device)
        self._uniforms = torch.zeros(size, longest, device=device)
        self._temperature = torch.ones(size, device=device)
        self._top_p = torch.ones(size, device=device)
        self._top_k = torch.zeros(size, dtype=torch.long, device=device)
        self._filtered = any(r.sampling.top_p < 1 or r.sampling.top_k > 0 for r in requests)
        self._greedy = any(r.sampling.temperature == 0 for r in requests)

    @property
    def active(self) -> int:
        return sum(owner is not None for owner in self.owners)

    # --- admission --------------------------------------------------------------------------------

    def admit(self) -> None:
        """Fills free rows from the waiting requests, several at a time: a lone prefill costs as much as a few."""
        free = [row for row, owner in enumerate(self.owners) if owner is None]
        room = len(free) + len(self._ids) - len(self.owners)
        if not self.waiting or room < min(len(self.waiting), max(1, len(self._ids) // REFILL_SHARE)):
            return
        while self.waiting and room:
            admitted: dict[int, int] = {}
            read: dict[tuple[int, ...], list[int]] = {}
            while self.waiting and room:
                request = self._requests[self.waiting[0]]
                width = max([len(request.ids), *map(len, read)])
                if read and request.ids not in read and width * (len(read) + 1) > PREFILL_TOKENS:
                    break
                row = free.pop(0) if free else self._new_row()
                admitted[row] = self.waiting.popleft()
                read.setdefault(request.ids, []).append(row)
                room -= 1
            self._prefill(admitted, read)

    def _new_row(self) -> int:
        self.owners.append(None)
        return len(self.owners) - 1

    def _prefill(self, admitted: dict[int, int], read: dict[tuple[int, ...], list[int]]) -> None:
        width = max(map(len, read))
        cache = self._decoder.cache
        cache.reserve(len(self.owners), width + 1)
        device = self._ids.device
        padded = torch.tensor([[*ids, *[0] * (width - len(ids))] for ids in read], device=device)
        lengths = torch.tensor([len(ids) for ids in read], device=device)
        logits = self._decoder.prefill(padded, lengths, torch.tensor([rows[0] for rows in read.values()], device=device))
        for ids, rows in read.items():
            for row in rows[1:]:
                cache.copy_row(rows[0], row, len(ids))
        for row, index in admitted.items():
            self._open(row, index)
        rows = [row for group in read.values() for row in group]
        repeats = torch.tensor([len(group) for group in read.values()], device=device)
        self._take(torch.tensor(rows, device=device), logits.repeat_interleave(repeats, dim=0))

    def _open(self, row: int, index: int) -> None:
        request = self._requests[index]
        sampling = request.sampling
        self.owners[row] = index
        self._live[row] = True
        self._positions[row] = len(request.ids) - 1
        self._counts[row] = 0
        self._limits[row] = sampling.max_tokens
        self._temperature[row] = sampling.temperature
        self._top_p[row] = sampling.top_p
        self._top_k[row] = sampling.top_k
        generator = torch.Generator().manual_seed(request.seed % 2**63)
        self._uniforms[row, : sampling.max_tokens] = torch.rand(sampling.max_tokens, generator=generator).to(self._ids.device)

    # --- decoding ---------------------------------------------------------------------------------

    def step(self) -> None:
        """One token for every row; retired rows idle along until they are refilled or squeezed out."""
        if not self.active:
            return
        self._compact()
        rows = len(self.owners)
        self._decoder.cache.reserve(rows, int(self._positions[:rows].max()) + 1)
        logits = self._decoder.step(self._tokens[:rows], self._positions[:rows])
        self._take(torch.arange(rows, device=self._ids.device), logits)

    def _take(self, rows: Int[Tensor, " some"], logits: Float[Tensor, "some vocabulary"]) -> None:
        """Draws the next token of the given rows, records it, and retires the rows that have ended."""
        counts = self._counts[rows]
        settings = Settings(self._temperature[rows], self._top_p[rows], self._top_k[rows], self._filtered, self._greedy)
        choice = choose(logits, self._uniforms[rows, counts], settings)
        self._ids[rows, counts] = choice.tokens
        self._logprobs[rows, counts] = choice.logprobs
        self._tokens[rows] = choice.tokens
        live = self._live[rows]
        self._counts[rows] = counts + live.long()
        self._positions[rows] += live.long()
        ended = live & (torch.isin(choice.tokens, self._stops) | (counts + 1 >= self._limits[rows]))
        for row in rows[ended].tolist():
            self._retire(row)

    def _retire(self, row: int) -> None:
        owner, count = self.owners[row], int(self._counts[row])
        if owner is None:
            return
        ids = self._ids[row, :count].tolist()
        stop = "stop" if bool(torch.isin(self._ids[row, count - 1], self._stops)) else "length"
        self.answers[owner] = Sampled(tuple(ids), tuple(self._logprobs[row, :count].tolist()), stop)
        self.owners[row] = None
        self._live[row] = False
        # An idle row is still computed: keep it short and within its buffers.
        self._positions[row], self._counts[row] = 0, 0

    def _compact(self) -> None:
        """Squeezes retired rows out once nothing waits to take their place."""
        rows = len(self.owners)
        if self.waiting or (rows - self.active) * COMPACT_SHARE < rows:
            return
        for target in [row for row, owner in enumerate(self.owners) if owner is None]:
            while self.owners and self.owners[-1] is None:
                self.owners.pop()
            if target >= len(self.owners):
                break
            self._move(len(self.owners) - 1, target)

    def _move(self, source: int, target: int) -> None:
        self.owners[target] = self.owners.pop()
        self._decoder.cache.copy_row(source, target, int(self._positions[source]) + 1)
        for state in (
            self._tokens,
            self._positions,
            self._counts,
            self._limits,
            self._live,
            self._ids,
            self._logprobs,
            self._uniforms,
            self._temperature,
            self._top_p,
            self._top_k,
        ):
            state[target] = state[source]
