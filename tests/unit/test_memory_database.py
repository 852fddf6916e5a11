"""The run's file: one writer, known versions, and failures in words."""

from __future__ import annotations

import sqlite3
from importlib import resources
from pathlib import Path

import pytest

from openspade.errors import StorageError
from openspade.memory.database import SCHEMA_VERSION, Database, apply_scripts
from openspade.memory.memory import Memory
from openspade.settings.learning import RewardConfig
from openspade.settings.worlds import MemoryConfig
from tests.fakes import SKILL
from tests.unit.memories import REVERSING, SORTING, a_cycle, design_of, dice, open_memory, remember, teachable

SORT, REVERSE = design_of(SORTING), design_of(REVERSING, "Reverse a list.")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run" / "openspade.db"


def change(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()


def test_what_was_committed_is_there_after_reopening(tmp_path: Path):
    with open_memory(tmp_path) as memory:
        remember(memory, (SORT, teachable()))
    with open_memory(tmp_path) as memory:
        assert memory.design(SORT.id).design == SORT


def test_a_second_writer_is_refused_and_told_who_holds_the_run(tmp_path: Path):
    with open_memory(tmp_path), pytest.raises(StorageError, match=r"in use by process \d+"):
        open_memory(tmp_path)


def test_a_closed_run_can_be_opened_again(tmp_path: Path):
    open_memory(tmp_path).close()
    open_memory(tmp_path).close()


def test_a_reader_sees_commits_of_the_writer_beside_it(tmp_path: Path, path: Path):
    with open_memory(tmp_path) as writer, Memory.open(path, MemoryConfig(), readonly=True) as reader:
        remember(writer, (SORT, teachable()))
        assert reader.last_cycle() == 0


def test_a_reader_cannot_write(tmp_path: Path, path: Path):
    open_memory(tmp_path).close()
    reader = Memory.open(path, MemoryConfig(), readonly=True)
    with reader, pytest.raises(StorageError, match="for reading only"):
        reader.record_event(0, "note", "text")


def test_a_reader_of_a_missing_run_is_told_so_and_makes_none(path: Path):
    with pytest.raises(StorageError, match="there is no database"):
        Memory.open(path, MemoryConfig(), readonly=True)
    assert not path.parent.exists()


def test_several_runs_are_open_side_by_side(tmp_path: Path):
    with open_memory(tmp_path / "a") as one, open_memory(tmp_path / "b") as other:
        remember(one, (SORT, teachable()))
        assert (one.last_cycle(), other.last_cycle()) == (0, -1)


def test_a_database_from_a_newer_version_is_left_alone(tmp_path: Path, path: Path):
    open_memory(tmp_path).close()
    change(path, f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    with pytest.raises(StorageError, match="update OpenSPADE"):
        open_memory(tmp_path)


def test_another_programs_database_is_refused(tmp_path: Path, path: Path):
    path.parent.mkdir()
    change(path, "CREATE TABLE notes (text)")
    with pytest.raises(StorageError, match="not an OpenSPADE database"):
        open_memory(tmp_path)


def test_a_file_that_is_no_database_is_named(tmp_path: Path, path: Path):
    path.parent.mkdir()
    path.write_text("not SQLite, but long enough to be looked at " * 50)
    with pytest.raises(StorageError, match=r"openspade\.db is damaged"):
        open_memory(tmp_path)


def test_a_failed_opening_gives_the_lock_back(tmp_path: Path, path: Path):
    path.parent.mkdir()
    path.write_text("not SQLite, but long enough to be looked at " * 50)
    for _ in range(2):
        with pytest.raises(StorageError, match="damaged"):
            open_memory(tmp_path)


def test_a_full_disk_loses_only_the_running_cycle(path: Path):
    database = Database(path)
    memory = Memory(database, MemoryConfig(), RewardConfig())
    remember(memory, (SORT, teachable()))
    pages = database.connection.execute("PRAGMA page_count").fetchone()[0]
    database.connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StorageError, match=r"disk of .* is full: free some space"):
        memory.commit(a_cycle(1, [(REVERSE, teachable())]), state={"long": "x" * 100_000}, checkpoint="")
    assert memory.last_cycle() == 0
    memory.close()


def test_an_unwritable_place_is_named(tmp_path: Path):
    (tmp_path / "run").write_text("a file where the folder should be")
    with pytest.raises(StorageError, match="run"):
        open_memory(tmp_path)


def test_migrations_run_in_order_and_leave_their_version():
    connection = sqlite3.connect(":memory:", isolation_level=None)
    apply_scripts(connection, {3: "ALTER TABLE a ADD COLUMN c;", 2: "CREATE TABLE a (b);"})
    assert connection.execute("PRAGMA user_version").fetchone() == (3,)
    assert [row[1] for row in connection.execute("PRAGMA table_info(a)")] == ["b", "c"]


def test_a_migration_that_fails_changes_nothing():
    connection = sqlite3.connect(":memory:", isolation_level=None)
    with pytest.raises(sqlite3.Error):
        apply_scripts(connection, {2: "CREATE TABLE a (b); CREATE TABLE a (b);"})
    assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
    assert connection.execute("PRAGMA user_version").fetchone() == (0,)


def test_there_is_a_migration_for_every_version_after_the_first():
    folder = resources.files("openspade.memory") / "migrations"
    numbers = sorted(int(item.name[:4]) for item in folder.iterdir() if item.name.endswith(".sql"))
    assert numbers == [*range(2, SCHEMA_VERSION + 1)]


def test_another_half_life_ranks_old_designs_anew(tmp_path: Path):
    with open_memory(tmp_path, half_life_cycles=0.5) as memory:
        remember(memory, (SORT, teachable(regret=0.15)))
        remember(memory, (REVERSE, teachable(regret=0.02)))
    with open_memory(tmp_path, half_life_cycles=1000) as memory:
        assert memory.exemplars(SKILL, 1, dice())[0].design == SORT
