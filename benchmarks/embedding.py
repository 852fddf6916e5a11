"""Is likeness by meaning worth its weight? How well MinHash and two embedders tell one mechanic from another.

    pip install scikit-learn; python benchmarks/embedding.py [FOLDER of a sentence-transformers model]

A pair of designs is of one mechanic or of two: the three mazes, and six programs of each of the 14 nano mechanics. AUC
is the chance that a pair of one mechanic is more alike than a pair of two; `overlap` is the share of pairs of two
mechanics that are more alike than the median pair of one.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from statistics import median

import numpy as np
from sklearn.feature_extraction.text import HashingVectorizer

from openspade.engine.embedding import SentenceEmbedder
from openspade.memory.search.similarity import sketch_program
from openspade.nano.all_mechanics import MECHANICS as NANO

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.unit.mechanics import MAZES, OTHERS


def families() -> list[list[str]]:
    rng = random.Random(0)
    nano = [[each.program(each.draw(rng.randint(1, 6), rng), hint="h") for _ in range(6)] for each in NANO]
    return [list(MAZES), *nano, *([other] for other in OTHERS)]


def measure(name: str, groups: Sequence[Sequence[str]], likeness: Callable[[Sequence[str]], np.ndarray]) -> None:
    programs = [program for group in groups for program in group]
    owner = [number for number, group in enumerate(groups) for _ in group]
    started = time.perf_counter()
    alike = likeness(programs)
    spent_ms = 1e3 * (time.perf_counter() - started) / len(programs)
    pairs = list(combinations(range(len(programs)), 2))
    same = [float(alike[i, j]) for i, j in pairs if owner[i] == owner[j]]
    other = [float(alike[i, j]) for i, j in pairs if owner[i] != owner[j]]
    wins = np.mean([np.mean(value > np.asarray(other)) + np.mean(value == np.asarray(other)) / 2 for value in same])
    mazes = [float(alike[i, j]) for i, j in combinations(range(len(MAZES)), 2)]
    print(
        f"{name:20} AUC {wins:.4f}  overlap {np.mean(np.asarray(other) > median(same)):.4f}  "
        f"one mechanic {median(same):.2f}, two {median(other):.2f} (at most {max(other):.2f})  "
        f"mazes {min(mazes):.2f} to {max(mazes):.2f}  {spent_ms:.1f} ms a program"
    )


def by_minhash(programs: Sequence[str]) -> np.ndarray:
    sketches = [sketch_program(program) for program in programs]
    return np.asarray([[one.similarity(other) for other in sketches] for one in sketches])


def by_words(programs: Sequence[str]) -> np.ndarray:
    vectors = HashingVectorizer(n_features=4096, ngram_range=(1, 2), alternate_sign=False).transform(programs)
    return (vectors @ vectors.T).toarray()


def by_model(folder: str) -> Callable[[Sequence[str]], np.ndarray]:
    embedder = SentenceEmbedder(folder)

    def likeness(programs: Sequence[str]) -> np.ndarray:
        vectors = np.stack([embedder.embed(program) for program in programs])
        return vectors @ vectors.T

    return likeness


if __name__ == "__main__":
    every = families()
    measure("MinHash", every, by_minhash)
    measure("hashed words", every, by_words)
    for folder in sys.argv[1:]:
        measure(Path(folder).name, every, by_model(folder))
