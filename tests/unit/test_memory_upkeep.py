"""Prune, verify, and the digest that a resume is judged by."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from openspade.memory.memory import Memory
from openspade.memory.write.history import drafts_path, episodes_path
from openspade.memory.write.upkeep import Pruning, prunable_designs, prune_designs, verify_run
from openspade.settings.worlds import MemoryConfig
from openspade.types import GateResult, Problem
from tests.content_digest import content_digest
from tests.unit.memories import (
    REVERSING,
    SORTING,
    a_cycle,
    a_document,
    design_of,
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


def test_pruning_keeps_the_latest_cycles_and_the_best(path: Path):
    assert prunable_designs(path, Pruning(keep_cycles=1, keep_best=0)) == 2
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
    assert verify_run(path) == (f"cycle 1: there is no {lost}: that cycle was not stored, or its folder was moved",)


def test_a_byte_that_changed_on_the_disk_is_found(path: Path):
    file = drafts_path(path.parent, 1)
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    (problem,) = verify_run(path)
    assert problem.startswith(f"cycle 1: {file} cannot be read")


def test_a_file_that_lost_its_end_is_found(path: Path):
    file = episodes_path(path.parent, 0)
    file.write_bytes(file.read_bytes()[:20])
    (problem,) = verify_run(path)
    assert problem == f"cycle 0: {file} holds 0 lines of 2: restore a copy"


def test_a_lost_checkpoint_is_found(tmp_path: Path):
    with open_memory(tmp_path) as memory:
        memory.commit(a_cycle(0), state={}, checkpoint="cycle_000000")
    (problem,) = verify_run(tmp_path / "run" / "openspade.db")
    assert "checkpoints/cycle_000000 is missing" in problem


def test_a_pruned_run_is_sound(path: Path):
    prune_designs(path, Pruning(keep_cycles=0, keep_best=0))
    assert verify_run(path) == ()


def test_the_digest_ignores_how_long_things_took(tmp_path: Path):
    def digest(name: str, ms: float, regret: float = 0.1) -> str:
        cycle = a_cycle(0, [(SORT, teachable())])
        verdict = replace(cycle.verdicts[0], gates=(GateResult(gate="parses", passed=True, cpu_ms=ms),))
        metrics = {"sandbox/step_p95_ms": ms, "seconds/draft": ms, "regret/mean": regret}
        with open_memory(tmp_path / name) as memory:
            memory.commit(replace(cycle, verdicts=(verdict,), metrics=metrics), state={}, checkpoint="")
        return content_digest(tmp_path / name / "run" / "openspade.db")

    assert digest("a", 1.0) == digest("b", 2.0) != digest("c", 1.0, regret=0.2)
