"""Tokens as text: which of them the policy wrote, how sure it was of each, and what was only shown to it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from importlib.util import find_spec
from pathlib import Path

from openspade.engine.scripted import ByteTokenizer
from openspade.run_folder import CHECKPOINTS
from openspade.settings.learning import PolicyConfig
from openspade.tokens import TokenStream

Reader = Callable[[Sequence[int]], str]
LONGEST_CHARACTER = 8
"""Tokens that may be needed for one character: byte-level vocabularies split emoji."""
SURPRISES = (0.05, 0.3, 1.0, 2.5, 5.0)
"""Nats at which the colour of a token's log-prob changes."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Piece:
    """Tokens that make whole characters; `surprise` is a step from 0 (sure) to 5, for written ones."""

    text: str
    ids: Sequence[int]
    written: bool
    logprob: float
    surprise: int


def reader_of(directory: Path, policy: PolicyConfig) -> Reader | None:
    """Ids to text by the run's own tokenizer; None where it is not on this machine."""
    if policy.speaks_bytes:
        return ByteTokenizer().decode
    kept = sorted((directory / CHECKPOINTS).glob("*/tokenizer.json"))
    if kept:
        return _file_reader(kept[-1])
    if policy.model == "nano":
        return _file_reader(Path(str(resources.files("openspade.engine"))) / "nano_policy" / "tokenizer.json")
    named = Path(policy.model) / "tokenizer.json"
    return _file_reader(named) if named.is_file() else None


def pieces(stream: TokenStream, reader: Reader | None) -> list[Piece]:
    """A stream as pieces of text, nothing left out; ids in brackets where there is no tokenizer."""
    if reader is None:
        return [_piece(f"[{token}]", stream, slice(place, place + 1)) for place, token in enumerate(stream.ids)]
    found: list[Piece] = []
    start = 0
    for end in range(1, len(stream.ids) + 1):
        text = _text(reader, stream.ids, start, end)
        whole = not text.endswith("\ufffd") or end - start >= LONGEST_CHARACTER or end == len(stream.ids)
        if whole or stream.written[start] != stream.written[min(end, len(stream.ids) - 1)]:
            found.append(_piece(text, stream, slice(start, end)))
            start = end
    return found


def _text(reader: Reader, ids: Sequence[int], start: int, end: int) -> str:
    # After the token before it: some tokenizers drop the blank of a text's first word.
    if start == 0:
        return reader(ids[:end])
    before = reader(ids[start - 1 : start])
    joined = reader(ids[start - 1 : end])
    return joined.removeprefix(before) if joined.startswith(before) else reader(ids[start:end])


def _piece(text: str, stream: TokenStream, place: slice) -> Piece:
    logprob = math.fsum(stream.logprobs[place])
    written = stream.written[place.start]
    surprise = sum(-logprob > limit for limit in SURPRISES) if written and math.isfinite(logprob) else 0
    return Piece(text=text, ids=stream.ids[place], written=written, logprob=logprob, surprise=surprise)


@lru_cache(maxsize=8)
def _file_reader(path: Path) -> Reader | None:
    if find_spec("tokenizers") is None or not path.is_file():
        return None
    from tokenizers import Tokenizer  # noqa: PLC0415 - an optional part: the dashboard also reads runs without it

    tokenizer = Tokenizer.from_file(str(path))
    return lambda ids: tokenizer.decode(list(ids), skip_special_tokens=False)
