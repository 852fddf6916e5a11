"""Export, merge, prune, verify, and the digest that a resume is judged by."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from openspade.memory.history import episodes_path
from openspade.memory.memory import Memory
from openspade.memory.upkeep import Pruning, content_digest, export_designs, merge_designs, prune_designs, verify_run
from openspade.settings.learning import RewardConfig
from openspade.settings.worlds import MemoryConfig
from openspade.types import GateResult, Problem
from tests.fakes import SKILL
from tests.unit.memories import (
    REVERSING,
    SORTING,
    a_cycle,
    a_document,
    design_of,
    dice,
    open_memory,
    remember,
    teachable,
    variant,
)

SORT, REVERSE = design_of(SORTING), design_of(REVERSING, "Reverse a list.")
REFUSED = Problem(gate="starts", message="it does not start")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A run of two cycles with two accepted designs and a refused one."""
    with open_memory(tmp_path) as memory:
        memory.commit(a_cycle(0, [(SORT, teachable())], refused=[(variant(3), REFUSED)]), state={}, checkpoint="")
        remember(memory, (REVERSE, teachable(regret=0.4)), document=a_document())
    return tmp_path / "run" / "openspade.db"


def reopened(path: Path) -> Memory:
    return Memory.open(path, MemoryConfig(), readonly=True)


def change(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()


def test_an_export_holds_every_accepted_design(path: Path, tmp_path: Path):
    assert export_designs(path, tmp_path / "out.jsonl") == 2
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [row["design"]["source"] for row in rows] == [SORTING, REVERSING]
    assert rows[1]["stats"]["regret"] == 0.4


def test_a_merge_brings_designs_with_what_is_known_of_them(path: Path, tmp_path: Path):
    with open_memory(tmp_path / "new") as memory:
        remember(memory, (SORT, teachable()))
    into = tmp_path / "new" / "run" / "openspade.db"
    assert merge_designs(into, path, MemoryConfig(), RewardConfig()) == 1
    with reopened(into) as memory:
        stored = memory.design(REVERSE.id)
        assert (stored.cycle, stored.document_id, stored.stats and stored.stats.regret) == (-1, "doc", 0.4)
        assert REVERSE in [exemplar.design for exemplar in memory.exemplars(SKILL, 2, dice())]
        assert memory.last_cycle() == 0


def test_a_second_merge_brings_nothing(path: Path, tmp_path: Path):
    open_memory(tmp_path / "new").close()
    into = tmp_path / "new" / "run" / "openspade.db"
    assert merge_designs(into, path, MemoryConfig(), RewardConfig()) == 2
    assert merge_designs(into, path, MemoryConfig(), RewardConfig()) == 0


def test_pruning_keeps_the_latest_cycles_and_the_best(path: Path):
    assert prune_designs(path, Pruning(keep_cycles=1, keep_best=0)) == 2
    with reopened(path) as memory:
        assert [stored.design for stored in memory.designs()] == [REVERSE]
    assert verify_run(path) == ()


def test_pruning_keeps_the_most_valuable_of_all_times(path: Path):
    assert prune_designs(path, Pruning(keep_cycles=0, keep_best=1)) == 2
    with reopened(path) as memory:
        assert [stored.design for stored in memory.designs()] == [REVERSE]


def test_a_sound_run_has_no_problems(path: Path):
    assert verify_run(path) == ()


def test_a_changed_design_is_found(path: Path):
    change(path, "UPDATE designs SET hint = 'Other.' WHERE number = 1")
    assert verify_run(path) == (f"design {SORT.id}: its text does not match its checksum",)


def test_a_lost_episode_file_is_found(path: Path):
    lost = episodes_path(path.parent, 1)
    lost.unlink()
    assert verify_run(path) == (f"cycle 1: {lost} is missing",)


def test_the_digest_ignores_how_long_things_took(tmp_path: Path):
    def digest(name: str, ms: float, regret: float = 0.1) -> str:
        cycle = a_cycle(0, [(SORT, teachable())])
        verdict = replace(cycle.verdicts[0], gates=(GateResult(gate="parses", passed=True, cpu_ms=ms),))
        metrics = {"sandbox/step_p95_ms": ms, "seconds/draft": ms, "regret/mean": regret}
        with open_memory(tmp_path / name) as memory:
            memory.commit(replace(cycle, verdicts=(verdict,), metrics=metrics), state={}, checkpoint="")
        return content_digest(tmp_path / name / "run" / "openspade.db")

    assert digest("a", 1.0) == digest("b", 2.0) != digest("c", 1.0, regret=0.2)
