"""Which texts were nearly seen before: MinHash over runs of five words, cheap enough for millions of documents."""

from __future__ import annotations

import re
from zlib import crc32

import numpy as np

from openspade.curriculum.bounded_dict import Latest
from openspade.curriculum.lengths import IDEOGRAPHS, UNSPACED_LETTERS

RUN_WORDS = 5
PERMUTATIONS = 96
BANDS = 12
COMPARED = 64
"""Texts of a band, at most, that one is compared with: the latest."""
_WORD = re.compile(r"[^\W\d_]+|\d+(?:\.\d+)?|[^\w\s]")
_UNSPACED = re.compile(f"([{IDEOGRAPHS}{UNSPACED_LETTERS}])")
_DRAWN = np.random.default_rng(1).integers(0, 2**63, size=(3, PERMUTATIONS), dtype=np.uint64)
_FACTORS, _SHIFTS = _DRAWN[0][:, None] | np.uint64(1), _DRAWN[1][:, None]
_PLACES = _DRAWN[2][:RUN_WORDS] | np.uint64(1)
_BAND_FACTORS = _DRAWN[2].reshape(BANDS, -1) | np.uint64(1)


class NearCopies:
    """Remembers sketches of the latest texts, never the texts."""

    def __init__(self, *, similarity: float, remembered_bands: int) -> None:
        self._agreeing = similarity * PERMUTATIONS
        self._bands = Latest[int, list[np.ndarray]](remembered_bands)

    def is_one(self, text: str) -> bool:
        """Is the text, with this share of common runs of words, one that was asked about before? Else it is kept."""
        minima = _minima(text)
        keys = (minima.reshape(BANDS, -1) * _BAND_FACTORS).sum(axis=1).tolist()
        sharing = [self._bands.get(key, []) for key in keys]
        if any(np.count_nonzero(minima == other) >= self._agreeing for near in sharing for other in near):
            return True
        for key, near in zip(keys, sharing, strict=True):
            self._bands.put(key, [*near[1 - COMPARED :], minima])
        return False


def _minima(text: str) -> np.ndarray:
    """The least of each permutation over the text's runs of words, the same in every process."""
    spaced = text if text.isascii() else _UNSPACED.sub(r" \1 ", text)
    words = [crc32(word.encode(errors="surrogatepass")) for word in _WORD.findall(spaced.lower())]
    words += [0] * (RUN_WORDS - len(words))
    marks = np.asarray(words, dtype=np.uint64)
    runs = np.zeros(len(words) - RUN_WORDS + 1, dtype=np.uint64)
    for place in range(RUN_WORDS):
        runs += marks[place : len(runs) + place] * _PLACES[place]
    runs ^= runs >> np.uint64(29)
    return ((runs * _FACTORS + _SHIFTS) >> np.uint64(32)).min(axis=1).astype(np.uint32)
