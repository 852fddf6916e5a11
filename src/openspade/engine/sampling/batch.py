"""Continuous batching: finished rows retire, waiting requests take their place, and equal prompts are read once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple, TypeVar

import torch
from jaxtyping import Float, Int
from torch import Tensor

from openspade.engine.sampling.choice import Settings, choose
from openspade.engine.sampling.decoder import Decoder, PrefillBatch
from openspade.engine.sampling.prefix_cache import CachedPrefix, PrefixCache
from openspade.errors import EngineError
from openspade.tokens import Prompt

Item = TypeVar("Item")

# Tokens of one forward pass over prompts. A CPU is twice as fast while what lies between two layers stays in its cache.
READ_TOKENS, READ_TOKENS_ON_CPU = 8192, 1024
REFILL_SHARE = 8
COMPACT_SHARE = 4


class Sampled(NamedTuple):
    """What one request got; log-probs are those at its temperature, before top-p and top-k."""

    ids: tuple[int, ...]
    logprobs: tuple[float, ...]
    stop: Literal["stop", "length"]


@torch.inference_mode()
def sample_batch(
    decoder: Decoder,
    requests: Sequence[Prompt],
    *,
    stop_ids: frozenset[int],
    rows: int,
    prefixes: PrefixCache | None = None,
) -> list[Sampled]:
    """One answer a request, in order. Each row draws from its own seed, whatever stands beside it.

    With `prefixes`, a request that continues one of an earlier call reads only what is new.
    """
    batch = _Batch(decoder, requests, stop_ids, rows, prefixes)
    while batch.waiting or batch.active:
        batch.admit()
        batch.step()
    return [answer for answer in batch.answers if answer is not None]


class _Batch:
    """The rows being decoded. Row i of the cache belongs to request `owners[i]`; None once it has retired."""

    def __init__(
        self,
        decoder: Decoder,
        requests: Sequence[Prompt],
        stop_ids: frozenset[int],
        rows: int,
        prefixes: PrefixCache | None,
    ) -> None:
        self.answers: list[Sampled | None] = [None] * len(requests)
        self._requests = requests
        # Long answers first, so that none is left alone at the end; equal prompts side by side.
        order = sorted(
            range(len(requests)),
            key=lambda i: (-requests[i].sampling.max_tokens, len(requests[i].ids), requests[i].ids, i),
        )
        self.waiting = deque(order)
        self._prefixes = prefixes if decoder.continues else None
        prompts = [request.ids for request in requests]
        self._kept: list[CachedPrefix | None] = (
            self._prefixes.take(prompts) if self._prefixes else [None] * len(requests)
        )
        self.owners: list[int | None] = []
        self._decoder = decoder
        self._limit = rows
        device = decoder.cache.keys.device
        self._budget = READ_TOKENS_ON_CPU if device.type == "cpu" else READ_TOKENS
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
        fresh: dict[tuple[int, ...], list[int]] = {}
        continued: list[int] = []
        for _ in range(min(room, len(self.waiting))):
            row, index = free.pop(0) if free else self._new_row(), self.waiting.popleft()
            self._open(row, index)
            if self._kept[index] is None:
                fresh.setdefault(self._requests[index].ids, []).append(row)
            else:
                continued.append(row)
        for some in _within_budget(sorted(fresh, key=len), len, self._budget):
            self._prefill({ids: fresh[ids] for ids in some})
        # What is new to a row may be long where its conversation is short: alike ones are padded the least together.
        continued.sort(key=lambda row: (len(self._rest(row)), row))
        for rows in _within_budget(continued, lambda row: len(self._rest(row)), self._budget):
            self._go_on(rows)

    def _new_row(self) -> int:
        self.owners.append(None)
        return len(self.owners) - 1

    def _prefill(self, read: dict[tuple[int, ...], list[int]]) -> None:
        """Reads each prompt once, whichever rows it stands in."""
        ids, lengths = self._padded(list(read))
        cache = self._decoder.cache
        cache.reserve(len(self.owners), ids.shape[1] + 1)
        logits = self._decoder.prefill(PrefillBatch(ids, lengths, self._tensor([rows[0] for rows in read.values()])))
        for prompt, rows in read.items():
            for row in rows[1:]:
                cache.copy_row(rows[0], row, len(prompt))
        repeats = self._tensor([len(rows) for rows in read.values()])
        rows = self._tensor([row for group in read.values() for row in group])
        self._take(rows, logits.repeat_interleave(repeats, dim=0))

    def _go_on(self, rows: list[int]) -> None:
        """Lays what conversations have read into their rows, and reads the rest."""
        cache = self._decoder.cache
        cache.reserve(len(self.owners), max(len(self._request(row).ids) for row in rows) + 1)
        held: list[int] = []
        ids, lengths = self._padded([self._rest(row) for row in rows])
        for row in rows:
            index = self.owners[row]
            kept = None if index is None else self._kept[index]
            if index is None or kept is None:
                raise EngineError(f"row {row} of the batch has nothing to go on from")
            cache.put(row, kept.keys, kept.values)
            held.append(len(kept.ids))
            self._kept[index] = None
        at = self._tensor(rows)
        self._take(at, self._decoder.go_on(PrefillBatch(ids, lengths, at), self._tensor(held)))

    def _rest(self, row: int) -> tuple[int, ...]:
        index = self.owners[row]
        kept = None if index is None else self._kept[index]
        return self._request(row).ids[len(kept.ids) if kept else 0 :]

    def _request(self, row: int) -> Prompt:
        index = self.owners[row]
        if index is None:
            raise EngineError(f"row {row} of the batch is free")
        return self._requests[index]

    def _padded(self, prompts: Sequence[tuple[int, ...]]) -> tuple[Tensor, Tensor]:
        width = max(map(len, prompts))
        return self._tensor([[*ids, *[0] * (width - len(ids))] for ids in prompts]), self._tensor([*map(len, prompts)])

    def _tensor(self, values: Sequence[int] | Sequence[Sequence[int]]) -> Tensor:
        return torch.tensor(values, device=self._ids.device)

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
        self._uniforms[row, : sampling.max_tokens] = torch.rand(sampling.max_tokens, generator=generator).to(
            self._ids.device
        )

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
        if self._prefixes is not None:
            # The last token was drawn but never read.
            self._prefixes.keep((*self._requests[owner].ids, *ids[:-1]), self._decoder.cache, row)
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


def _within_budget(items: Sequence[Item], width: Callable[[Item], int], budget: int) -> Iterator[list[Item]]:
    """Items from the narrowest to the widest, as many at a time as keep padded tokens within a budget."""
    some: list[Item] = []
    for item in items:
        if some and width(item) * (len(some) + 1) > budget:
            yield some
            some = []
        some.append(item)
    if some:
        yield some
