"""Likeness by meaning: vectors computed once, kept beside the database, and used for novelty."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from openspade.memory.memory import Memory
from openspade.memory.search.meaning import EmbeddingIndex
from openspade.settings.worlds import MemoryConfig
from tests.unit.memories import REVERSING, SORTING, design_of, remember, teachable

SORT = design_of(SORTING, "Put numbers in order.")
# Another program; its title says the same.
ORDER = design_of(REVERSING, "Put numbers in order again.")
SHEEP = design_of(SORTING + "# sheep\n", "Count sheep.")


class ByTitle:
    """Counts of words of the first line: what a model of language knows better."""

    def __init__(self, name: str = "titles") -> None:
        self.name = name
        self.asked: list[str] = []

    def embed(self, text: str) -> np.ndarray:
        self.asked.append(text)
        words = text.partition("\n")[0].lower().rstrip(".").split()
        vector = np.asarray([words.count(word) for word in "put numbers in order count sheep".split()], dtype=float)
        return vector / np.linalg.norm(vector)


def open_with(folder: Path, embedder: ByTitle, window: int = 500) -> Memory:
    (folder / "run").mkdir(exist_ok=True)
    meanings = EmbeddingIndex(folder / "run", embedder)
    return Memory.open(folder / "run" / "openspade.db", MemoryConfig(window=window), meanings=meanings)


def novelty(memory: Memory) -> dict[str, float]:
    return {portrait.title: round(portrait.novelty, 3) for portrait in memory.portraits(10)}


def test_a_mechanic_told_in_other_code_is_not_novel(tmp_path: Path):
    with open_with(tmp_path, ByTitle()) as memory:
        remember(memory, (SORT, teachable()))
        remember(memory, (ORDER, teachable()), (SHEEP, teachable()))
        assert novelty(memory)[ORDER.title] == 0.0


def test_likeness_of_code_still_counts(tmp_path: Path):
    with open_with(tmp_path, ByTitle()) as memory:
        remember(memory, (SORT, teachable()))
        remember(memory, (SHEEP, teachable()))
        assert novelty(memory)[SHEEP.title] < 0.5


def test_designs_of_one_cycle_are_compared_in_their_order(tmp_path: Path):
    with open_with(tmp_path, ByTitle()) as memory:
        remember(memory, (SORT, teachable()), (ORDER, teachable()))
        assert novelty(memory) == {SORT.title: 1.0, ORDER.title: 0.0}


def test_only_the_latest_window_is_compared_with(tmp_path: Path):
    with open_with(tmp_path, ByTitle(), window=1) as memory:
        remember(memory, (SORT, teachable()))
        remember(memory, (design_of(SORTING + "# 2", "Sheep."), teachable()))
        remember(memory, (ORDER, teachable()))
        assert novelty(memory)[ORDER.title] == 1.0


def test_a_vector_is_computed_once_and_outlives_the_process(tmp_path: Path):
    first, second = ByTitle(), ByTitle()
    with open_with(tmp_path, first) as memory:
        remember(memory, (SORT, teachable()))
    with open_with(tmp_path, second) as memory:
        remember(memory, (ORDER, teachable()))
    assert len(first.asked) == len(second.asked) == 1


def test_another_embedder_computes_its_own(tmp_path: Path):
    other = ByTitle("other")
    with open_with(tmp_path, ByTitle()) as memory:
        remember(memory, (SORT, teachable()))
    with open_with(tmp_path, other) as memory:
        remember(memory, (replace(ORDER, title="In order."), teachable()))
    assert len(other.asked) == 2


@pytest.mark.parametrize("deleted", [False, True])
def test_the_file_may_be_deleted(tmp_path: Path, deleted: bool):
    with open_with(tmp_path, ByTitle()) as memory:
        remember(memory, (SORT, teachable()))
    if deleted:
        (tmp_path / "run" / "embeddings.db").unlink()
    with open_with(tmp_path, ByTitle()) as memory:
        remember(memory, (ORDER, teachable()))
        assert novelty(memory)[ORDER.title] == 0.0
