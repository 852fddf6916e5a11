"""Designs leave a run and come into another, with what is known of them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from openspade.curriculum.design_files import read_designs, write_designs
from openspade.errors import ConfigError, StorageError
from openspade.memory.memory import Memory
from openspade.memory.read.design_list import Wanted
from openspade.memory.write.exchange import Exported, exported_designs, merge_designs, take_over_designs
from openspade.roles.source import read_design
from openspade.settings.learning import RewardConfig
from openspade.settings.worlds import MemoryConfig
from openspade.types import Design
from tests.fakes import SKILL
from tests.unit.mechanics import MAZES
from tests.unit.memories import REVERSING, SORTING, a_cycle, a_document, dice, open_memory, remember, teachable


def read(source: str) -> Design:
    design = read_design(source)
    assert isinstance(design, Design)
    return design


SORT, REVERSE, MAZE = read(SORTING), read(REVERSING), read(MAZES[0])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A run of two cycles with two accepted designs."""
    with open_memory(tmp_path / "old") as memory:
        memory.commit(a_cycle(0, [(SORT, teachable())]), state={}, checkpoint="")
        remember(memory, (REVERSE, teachable(regret=0.4)), document=a_document())
    return tmp_path / "old" / "run" / "openspade.db"


@pytest.fixture
def new(tmp_path: Path) -> Path:
    """A run of one cycle with a maze."""
    with open_memory(tmp_path / "new") as memory:
        remember(memory, (MAZE, teachable()))
    return tmp_path / "new" / "run" / "openspade.db"


def reopened(path: Path) -> Memory:
    return Memory.open(path, MemoryConfig(), readonly=True)


def take(into: Path, *exported: Exported) -> int:
    return take_over_designs(into, exported, MemoryConfig(), RewardConfig())


# --- from run to run --------------------------------------------------------------------------------


def test_a_merge_brings_designs_with_what_is_known_of_them(path: Path, new: Path):
    assert merge_designs(new, path, MemoryConfig(), RewardConfig()) == 2
    with reopened(new) as memory:
        stored = memory.design(REVERSE.id)
        assert (stored.cycle, stored.document_id, stored.stats and stored.stats.regret) == (-1, "doc", 0.4)
        assert REVERSE in [exemplar.design for exemplar in memory.exemplars(SKILL, 3, dice())]
        assert memory.last_cycle() == 0


def test_a_second_merge_brings_nothing(path: Path, new: Path):
    assert merge_designs(new, path, MemoryConfig(), RewardConfig()) == 2
    assert merge_designs(new, path, MemoryConfig(), RewardConfig()) == 0


def test_an_equal_program_under_other_names_is_known(path: Path):
    again = read(SORTING.replace("Task", "Sorter"))
    assert take(path, Exported(design=again, asked_skill=SKILL.name)) == 0


def test_a_merged_design_is_not_among_the_latest(path: Path, new: Path):
    merge_designs(new, path, MemoryConfig(), RewardConfig())
    with reopened(new) as memory:
        assert memory.portraits(1)[0].design_id == MAZE.id
        assert len(memory.portraits(5)) == 3


def test_in_a_run_without_designs_the_latest_of_the_other_are_the_latest(path: Path, tmp_path: Path):
    open_memory(tmp_path / "empty").close()
    into = tmp_path / "empty" / "run" / "openspade.db"
    merge_designs(into, path, MemoryConfig(), RewardConfig())
    take(into, Exported(design=MAZE, asked_skill=SKILL.name))
    with reopened(into) as memory:
        assert [portrait.design_id for portrait in memory.portraits(5)] == [REVERSE.id, SORT.id, MAZE.id]


def test_a_regret_measured_before_the_last_replay_is_brought_along(path: Path, new: Path):
    with Memory.open(path, MemoryConfig()) as memory:
        remember(memory, (REVERSE, teachable(solve_rate=0.6, regret=0.0, hinted_played=False)))
    merge_designs(new, path, MemoryConfig(), RewardConfig())
    with reopened(new) as memory:
        stats = memory.stats(REVERSE.id)
        assert stats is not None
        assert (stats.solve_rate, stats.regret, stats.hinted_played) == (0.6, 0.4, True)


def test_a_design_that_was_never_played_stands_in_for_replay_and_is_no_exemplar(new: Path):
    assert take(new, Exported(design=SORT, asked_skill=SKILL.name)) == 1
    with reopened(new) as memory:
        assert memory.stats(SORT.id) is None
        assert {design.id for design in memory.replays(5, 1, dice())} == {MAZE.id, SORT.id}
        assert [exemplar.design for exemplar in memory.exemplars(SKILL, 5, dice())] == [MAZE]


def test_a_new_design_is_compared_with_merged_ones(path: Path, new: Path):
    merge_designs(new, path, MemoryConfig(), RewardConfig())
    with Memory.open(new, MemoryConfig()) as memory:
        again = read(SORTING.replace("range(5)", "range(6)"))
        remember(memory, (again, teachable()))
        assert memory.portraits(1)[0].novelty < 0.2


def test_a_merge_that_fails_half_way_leaves_nothing(new: Path):
    def broken():
        yield Exported(design=SORT, asked_skill=SKILL.name)
        raise ConfigError("the second cannot be read")

    with pytest.raises(ConfigError, match="second"):
        take_over_designs(new, broken(), MemoryConfig(), RewardConfig())
    with reopened(new) as memory:
        assert len(memory.designs()) == 1


# --- to files and back ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["pool", "pool.jsonl"])
def test_what_was_exported_is_read_back_whole(path: Path, tmp_path: Path, name: str):
    exported = list(exported_designs(path))
    assert write_designs(exported, tmp_path / name) == 2
    assert sorted(read_designs(tmp_path / name), key=lambda each: each.design.id) == sorted(
        exported, key=lambda each: each.design.id
    )


def test_only_wanted_designs_are_exported(path: Path):
    wanted = Wanted(accepted=True, order="regret", limit=1)
    assert [exported.design for exported in exported_designs(path, wanted)] == [REVERSE]


def test_a_folder_holds_one_program_a_design_named_by_its_title(path: Path, tmp_path: Path):
    write_designs(exported_designs(path), tmp_path / "pool")
    programs = {file.name: file.read_text() for file in (tmp_path / "pool").glob("*.py")}
    assert set(programs.values()) == {SORTING, REVERSING}
    assert all(name.endswith(f"_{read(source).id[:8]}.py") for name, source in programs.items())


def test_a_line_of_the_file_is_plain_for_other_readers(path: Path, tmp_path: Path):
    write_designs(exported_designs(path), tmp_path / "out.jsonl")
    row = json.loads((tmp_path / "out.jsonl").read_text().splitlines()[1])
    assert (row["source"], row["stats"]["regret"], row["document"]["id"]) == (REVERSING, 0.4, "doc")


def test_a_program_that_was_changed_has_no_statistics(path: Path, tmp_path: Path):
    write_designs(exported_designs(path), tmp_path / "pool")
    for file in (tmp_path / "pool").glob("*.py"):
        file.write_text(file.read_text() + "# changed\n")
    assert [exported.stats for exported in read_designs(tmp_path / "pool")] == [None, None]


def test_statistics_of_another_program_are_not_believed(tmp_path: Path):
    exported = Exported(design=replace(SORT, id=REVERSE.id), asked_skill=SKILL.name, stats=teachable())
    write_designs([exported], tmp_path / "out.jsonl")
    (found,) = read_designs(tmp_path / "out.jsonl")
    assert (found.design, found.stats) == (SORT, None)


def test_an_export_never_overwrites_a_folder_in_use(path: Path, tmp_path: Path):
    (tmp_path / "pool").mkdir()
    (tmp_path / "pool" / "mine.py").write_text("x = 1")
    with pytest.raises(StorageError, match="not an empty folder"):
        write_designs(exported_designs(path), tmp_path / "pool")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.jsonl", '{"title": "no source"}', "line 1: .*`openspade memory export` writes such files"),
        ("a.jsonl", '{"source": "x = 1"}', "line 1 holds no environment"),
        ("a.py", "x = 1", "holds no environment: There is no environment"),
    ],
)
def test_a_file_without_designs_is_refused_with_its_place(tmp_path: Path, name: str, text: str, message: str):
    (tmp_path / name).write_text(text)
    with pytest.raises(ConfigError, match=message):
        list(read_designs(tmp_path / name))
