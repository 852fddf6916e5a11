"""Keys and values of conversations between their turns, so that the next turn reads only what is new."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from torch import Tensor

from openspade.engine.sampling.decoder import KeyValues

CACHE_BYTES = 1 << 28
_BASE, _MODULUS = 1_000_003, (1 << 61) - 1


class CachedPrefix(NamedTuple):
    """The tokens of a conversation and what attention needs of them."""

    ids: tuple[int, ...]
    keys: Tensor
    values: Tensor


class PrefixCache:
    """Holds what conversations have read so far. One entry serves one next turn; a full cache takes no more.

    What lies here is a function of the calls since the last one that continued nothing: a resumed run finds the same.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[int, int], CachedPrefix] = {}
        self._bytes = 0

    def keep(self, ids: tuple[int, ...], cache: KeyValues, row: int) -> None:
        """Stores the first `len(ids)` positions of a row."""
        size = 2 * cache.keys[:, row, :, : len(ids)].nbytes
        # As much again as the rows being decoded take.
        if self._bytes + size > max(CACHE_BYTES, cache.keys.nbytes + cache.values.nbytes):
            return
        self._bytes += size
        keys, values = cache.keys[:, row, :, : len(ids)].clone(), cache.values[:, row, :, : len(ids)].clone()
        self._kept[len(ids), list(_prefix_hashes(ids))[-1]] = CachedPrefix(ids, keys, values)

    def take(self, prompts: Sequence[tuple[int, ...]]) -> list[CachedPrefix | None]:
        """For each prompt the longest entry that it continues; if none continues any, the cache is cleared."""
        found = [self._longest(ids) for ids in prompts]
        if not any(found):
            self._kept, self._bytes = {}, 0
        return found

    def _longest(self, ids: tuple[int, ...]) -> CachedPrefix | None:
        if not self._kept:
            return None
        best: tuple[int, int] | None = None
        for length, code in enumerate(_prefix_hashes(ids[:-1]), start=1):
            if (length, code) in self._kept:
                best = (length, code)
        if best is None or self._kept[best].ids != ids[: best[0]]:
            return None
        kept = self._kept.pop(best)
        self._bytes -= kept.keys.nbytes + kept.values.nbytes
        return kept


def _prefix_hashes(ids: Sequence[int]) -> Iterator[int]:
    code = 0
    for token in ids:
        code = (code * _BASE + token + 1) % _MODULUS
        yield code
