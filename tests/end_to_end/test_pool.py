"""The starter pool: forty environments by hand, every skill covered, all through every gate."""

from collections import Counter
from pathlib import Path

import pytest

from openspade.types import Verdict
from tests.end_to_end.mutants import POOL, design_in
from tests.end_to_end.test_gates import draft_of, verify

SKILLS = {
    "mathematical reasoning", "logical deduction", "spatial reasoning", "pattern recognition", "optimisation",
    "causal inference", "API orchestration", "data retrieval", "state modification", "error recovery",
    "tool selection", "multi-step workflow",
}  # fmt: skip


@pytest.fixture(scope="module")
def verdicts() -> dict[Path, Verdict]:
    drafts = [draft_of(f"```python\n{path.read_text(encoding='utf-8')}```\n", path.name) for path in POOL]
    return dict(zip(POOL, verify(drafts), strict=True))


def test_the_pool_has_twenty_games_and_twenty_tool_tasks() -> None:
    assert Counter(design_in(path).kind for path in POOL) == {"game": 20, "tool": 20}


def test_every_skill_has_at_least_three_environments() -> None:
    counts = Counter(design_in(path).skill for path in POOL)
    assert set(counts) == SKILLS
    assert min(counts.values()) >= 3


@pytest.mark.parametrize("path", POOL, ids=lambda path: path.stem)
def test_an_environment_of_the_pool_passes_every_gate(path: Path, verdicts: dict[Path, Verdict]) -> None:
    assert verdicts[path].problems == ()
