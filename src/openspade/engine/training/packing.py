"""Streams as rows of a forward pass: streams that begin with the same prompt share one row and read it once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from openspade.tokens import TokenStream

PADDING, PROMPT = -1, 0


@dataclass(frozen=True, kw_only=True, slots=True)
class RowPlan:
    """A prompt once, then what follows it in each of some streams; a lone stream is a row with one branch."""

    streams: tuple[int, ...]
    prompt_tokens: int
    tokens: int


class Packed(NamedTuple):
    """Rows padded on the right, and where in them each written token of each stream is predicted.

    A position sees earlier positions of the prompt (segment 0) and of its own segment; -1 is padding. `written[i, t]`
    tells whether token t + 1 of stream i was sampled; the flat tensors list those tokens stream by stream.
    """

    inputs: Int[Tensor, "rows time"]
    positions: Int[Tensor, "rows time"]
    segments: Int[Tensor, "rows time"]
    source: Int[Tensor, " written"]
    targets: Int[Tensor, " written"]
    written: Bool[Tensor, "batch length"]
    sampled_logprobs: Float[Tensor, "batch length"]
    shared: bool


def last_written(stream: TokenStream) -> int:
    """Tokens up to and with the last sampled one: what follows teaches nothing."""
    return len(stream.written) - stream.written[::-1].index(True) if any(stream.written) else 0


def plan_rows(streams: Sequence[TokenStream], *, shared_tokens: int) -> list[RowPlan]:
    """Every stream with a written token in one row, equal prompts together while a row has at most `shared_tokens`."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for index, stream in enumerate(streams):
        if any(stream.written):
            key = stream.ids[: stream.written.index(True)] if shared_tokens else (index,)
            groups.setdefault(key, []).append(index)
    return [
        row
        for key, members in groups.items()
        for row in _split(members, streams, len(key) if shared_tokens else 0, shared_tokens)
    ]


def micro_batches(rows: Sequence[RowPlan], tokens: int) -> Iterator[list[RowPlan]]:
    """Rows of alike lengths, longest first, at most `tokens` padded tokens together; a longer row stands alone."""
    batch: list[RowPlan] = []
    for row in sorted(rows, key=lambda row: (-row.tokens, row.streams)):
        if batch and batch[0].tokens * (len(batch) + 1) > tokens:
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


def pack(streams: Sequence[TokenStream], rows: Sequence[RowPlan], device: torch.device) -> Packed:
    """Tensors of some rows. The batch axis follows `batch_order(rows)`."""
    width = max(row.tokens for row in rows)
    inputs, positions, segments = [], [], []
    source: list[int] = []
    targets: list[int] = []
    for number, row in enumerate(rows):
        laid = _lay_out(row, streams)
        fill = width - len(laid.ids)
        inputs.append([*laid.ids, *[0] * fill])
        positions.append([*laid.positions, *[0] * fill])
        segments.append([*laid.segments, *[PADDING] * fill])
        source += [number * width + at for at in laid.source]
        targets += laid.targets
    marks, logprobs = _by_stream([streams[index] for index in batch_order(rows)])
    return Packed(
        inputs=torch.tensor(inputs, device=device),
        positions=torch.tensor(positions, device=device),
        segments=torch.tensor(segments, device=device),
        source=torch.tensor(source, device=device),
        targets=torch.tensor(targets, device=device),
        written=marks.to(device),
        sampled_logprobs=logprobs.to(device),
        shared=any(len(row.streams) > 1 for row in rows),
    )


def batch_order(rows: Sequence[RowPlan]) -> list[int]:
    """Which stream stands at each place of the batch axis."""
    return [index for row in rows for index in row.streams]


def visible(packed: Packed) -> Bool[Tensor, "rows 1 time time"]:
    """True where a position (third axis) may look at another (fourth): the past of its prompt and of its branch."""
    segments = packed.segments
    same = segments[:, :, None] == segments[:, None, :]
    past = torch.ones(segments.shape[1], segments.shape[1], dtype=torch.bool, device=segments.device).tril()
    return ((same | (segments == PROMPT)[:, None, :]) & past)[:, None]


class _Layout(NamedTuple):
    ids: list[int]
    positions: list[int]
    segments: list[int]
    source: list[int]
    targets: list[int]


def _split(members: list[int], streams: Sequence[TokenStream], prompt: int, limit: int) -> Iterator[RowPlan]:
    chosen: list[int] = []
    tokens = prompt
    for index in members:
        branch = max(0, last_written(streams[index]) - 1 - prompt)
        if chosen and tokens + branch > limit:
            yield RowPlan(streams=tuple(chosen), prompt_tokens=prompt, tokens=max(1, tokens))
            chosen, tokens = [], prompt
        chosen.append(index)
        tokens += branch
    yield RowPlan(streams=tuple(chosen), prompt_tokens=prompt, tokens=max(1, tokens))


def _lay_out(row: RowPlan, streams: Sequence[TokenStream]) -> _Layout:
    """The last token of a stream is only a target, so it is not laid out."""
    prompt = row.prompt_tokens
    laid = _Layout(list(streams[row.streams[0]].ids[:prompt]), list(range(prompt)), [PROMPT] * prompt, [], [])
    for segment, index in enumerate(row.streams, start=1):
        stream = streams[index]
        end, start = last_written(stream), len(laid.ids)
        branch = stream.ids[prompt : max(end - 1, prompt)]
        laid.ids.extend(branch)
        laid.positions.extend(range(prompt, prompt + len(branch)))
        laid.segments.extend([segment] * len(branch))
        for at in range(1, end):
            if stream.written[at]:
                laid.source.append(at - 1 if at <= prompt else start + at - 1 - prompt)
                laid.targets.append(stream.ids[at])
    return laid


def _by_stream(streams: Sequence[TokenStream]) -> tuple[Tensor, Tensor]:
    width = max(last_written(stream) for stream in streams)
    written = torch.zeros(len(streams), max(1, width - 1), dtype=torch.bool)
    logprobs = torch.zeros(len(streams), max(1, width - 1))
    for row, stream in enumerate(streams):
        end = last_written(stream)
        written[row, : end - 1] = torch.tensor(stream.written[1:end], dtype=torch.bool)
        logprobs[row, : end - 1] = torch.tensor(stream.logprobs[1:end])
    return written, logprobs
