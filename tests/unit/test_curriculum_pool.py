"""The controls that have a pool in the Designer's place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from benchmarks.nano_reading import level_of

from openspade.curriculum.briefs import Curriculum
from openspade.curriculum.fixed_pool import STARTER, FixedPool, collect, settle_pool, write_pool
from openspade.curriculum.window import DifficultyWindow
from openspade.errors import ConfigError, RunError
from openspade.memory.memory import Memory
from openspade.nano.families import nano_families
from openspade.settings.worlds import CurriculumConfig, CycleConfig, PoolConfig
from openspade.types import Brief, Design, Draft, Problem, Verdict
from tests.fakes import a_verdict, some_stats
from tests.unit.memories import open_memory, remember, variant

DESIGNS = [variant(number) for number in range(10, 20)]
REFUSED = Problem(gate="parses", message="No program.")
QUICK = PoolConfig(families=("sums", "clock"), window=2, promote_after=4, promote_at=0.75)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with open_memory(tmp_path) as opened:
        yield opened


# --- a fixed pool -----------------------------------------------------------------------------------


def ids(pool: FixedPool, cycle: int) -> set[str]:
    return {replay.design.id for replay in pool.replays(cycle)}


def test_a_round_plays_every_design_once():
    pool = FixedPool(DESIGNS, 5, run_seed=1)
    assert ids(pool, 0) | ids(pool, 1) == {design.id for design in DESIGNS}


def test_rounds_are_shuffled_anew():
    pool = FixedPool(DESIGNS, 5, run_seed=1)
    assert len({frozenset(ids(pool, cycle)) for cycle in range(20)}) > 10


def test_a_pool_too_small_for_a_cycle_is_refused():
    with pytest.raises(ConfigError, match="holds 10 designs and a cycle plays 11"):
        FixedPool(DESIGNS, 11, run_seed=1)


def test_a_pool_asks_the_designer_for_nothing():
    assert FixedPool(DESIGNS, 5, run_seed=1).briefs(3) == []


# --- where it comes from ----------------------------------------------------------------------------


class Author:
    """Writes these designs, then begins again; None is a draft without a program."""

    def __init__(self, *designs: Design | None) -> None:
        self._designs = designs
        self.written = 0

    async def design(self, briefs: Sequence[Brief]) -> list[Draft]:
        first, self.written = self.written, self.written + len(briefs)
        found = [self._designs[number % len(self._designs)] for number in range(first, self.written)]
        return [a_verdict(design).draft for design in found]


class Lenient:
    """Accepts whatever holds a program."""

    async def verify(self, drafts: Sequence[Draft]) -> list[Verdict]:
        return [Verdict(draft=draft, problems=() if draft.design else (REFUSED,)) for draft in drafts]


def a_curriculum(memory: Memory) -> Curriculum:
    return Curriculum(CurriculumConfig(), CycleConfig(briefs=2), memory, None, 1)


async def test_a_written_pool_holds_no_program_twice(memory: Memory):
    first, second, third = DESIGNS[:3]
    author = Author(first, second, None, second, first, third)
    assert await write_pool(3, a_curriculum(memory), author, Lenient()) == [first, second, third]


async def test_a_designer_that_never_writes_enough_is_given_up(memory: Memory):
    with pytest.raises(RunError, match="only 1 may be played"):
        await write_pool(3, a_curriculum(memory), Author(DESIGNS[0], None), Lenient())


async def test_a_resumed_run_reads_its_pool_and_writes_none(memory: Memory, tmp_path: Path):
    author, file = Author(*DESIGNS), tmp_path / "pool.jsonl"
    parts = a_curriculum(memory), author, Lenient()
    first = await settle_pool(file, PoolConfig(size=4), 0, parts)
    assert await settle_pool(file, PoolConfig(size=4), 0, parts) == first
    assert author.written == 4


async def test_a_pool_of_given_environments_is_drawn_once_and_kept(memory: Memory, tmp_path: Path):
    pytest.importorskip("Gym", reason="needs the extra rlve")
    config, author = PoolConfig(source="rlve", size=6, families=("Sorting", "Division"), window=2), Author(*DESIGNS)
    parts, file = (a_curriculum(memory), author, Lenient()), tmp_path / "pool.jsonl"
    first = await settle_pool(file, config, 0, parts)
    assert await settle_pool(file, config, 1, parts) == first
    assert {design.skill for design in first} == {"Sorting", "Division"}
    assert author.written == 0


def test_the_starter_pool_has_forty_designs():
    assert len(collect(STARTER)) == 40


def test_another_runs_accepted_designs_are_a_pool(memory: Memory):
    remember(memory, *((design, some_stats()) for design in DESIGNS))
    assert [design.id for design in collect(str(memory.run_directory))] == [design.id for design in DESIGNS]


def test_a_pool_that_is_nowhere_is_refused_with_what_may_be_named():
    with pytest.raises(ConfigError, match="pool:starter, a folder of programs"):
        collect("nowhere")


# --- a difficulty window ----------------------------------------------------------------------------


def a_window(memory: Memory, config: PoolConfig = QUICK, count: int = 6) -> DifficultyWindow:
    return DifficultyWindow(nano_families(), config, count=count, memory=memory, run_seed=1)


def play_on(window: DifficultyWindow, memory: Memory, cycles: int, rates: tuple[float, ...]) -> None:
    """Cycles in which every instance of every design is solved at these rates."""
    for cycle in range(memory.last_cycle() + 1, memory.last_cycle() + 1 + cycles):
        window.briefs(cycle)
        remember(memory, *((again.design, some_stats(seed_solve_rates=rates)) for again in window.replays(cycle)))
    window.briefs(memory.last_cycle() + 1)


def levels(window: DifficultyWindow) -> set[int]:
    return {found[1] for again in window.replays(0) if (found := level_of(again.design))}


def test_a_window_starts_at_the_lowest_level(memory: Memory):
    window = a_window(memory)
    window.briefs(0)
    assert levels(window) == {1}


def test_a_window_rises_where_plays_are_solved(memory: Memory):
    window = a_window(memory)
    play_on(window, memory, 6, (1.0, 0.75))
    assert window.metrics()["pool/top_level_mean"] > 2


def test_a_window_stays_where_plays_fail(memory: Memory):
    window = a_window(memory)
    play_on(window, memory, 6, (1.0, 0.25))
    assert window.metrics()["pool/top_level_max"] == 1


def test_a_window_never_rises_beyond_the_last_level(memory: Memory):
    window = a_window(memory, QUICK.model_copy(update={"promote_after": 1, "window": 1}))
    play_on(window, memory, 15, (1.0,))
    assert window.metrics()["pool/top_level_max"] == 9


def test_a_window_keeps_to_the_levels_below_the_top(memory: Memory):
    window = a_window(memory, QUICK.model_copy(update={"promote_after": 1}), count=12)
    play_on(window, memory, 15, (1.0,))
    assert levels(window) == {8, 9}


def test_a_restored_window_draws_what_the_old_one_would(memory: Memory):
    window, other = a_window(memory), a_window(memory)
    play_on(window, memory, 4, (1.0, 0.75))
    other.restore(window.state())
    window.briefs(5)
    other.briefs(5)
    assert other.replays(5) == window.replays(5)


def test_a_family_that_is_not_there_is_named(memory: Memory):
    with pytest.raises(ConfigError, match="'chess'; known: sums, sequence"):
        a_window(memory, PoolConfig(families=("chess",)))
