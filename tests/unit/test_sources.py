"""What a user may name where a command wants environments."""

import os
from pathlib import Path

import pytest

from openspade.errors import ConfigError
from openspade.sources import find_source, pool_path, program_files, read_program, shown_path


def test_the_starter_pool_is_a_folder_of_forty() -> None:
    assert len(program_files([Path("pool:starter")])) == 40


@pytest.mark.parametrize("name", ["pool:starter/code_lock", "pool:starter/code_lock.py"])
def test_one_of_the_pool_is_found_by_its_name(name: str) -> None:
    assert "class CodeLock(Game)" in find_source(name, None)
    assert shown_path(pool_path(Path(name))) == "pool:starter/code_lock"


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("pool:starter/code_lok", "did you mean pool:starter/code_lock"),
        ("pool:starter/zzz", "it holds bad_dish, black_box"),
        ("pool:starter/../../errors", "holds no"),
        ("pool:other", "the package holds pool:starter"),
    ],
)
def test_what_the_package_does_not_hold_is_told(name: str, advice: str) -> None:
    with pytest.raises(ConfigError, match=advice):
        pool_path(Path(name))


def test_a_pool_is_no_single_environment() -> None:
    with pytest.raises(ConfigError, match="such as pool:starter/bad_dish"):
        find_source("pool:starter", None)


def test_a_missing_file_is_told_before_another_is_judged(tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text("x = 1\n")
    with pytest.raises(ConfigError, match=r"missing\.py is not there"):
        program_files([tmp_path / "good.py", tmp_path / "missing.py"])


def test_a_folder_without_programs_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds no Python file"):
        program_files([tmp_path])


def test_only_files_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    for path in (tmp_path / "pipe.py", Path("/dev/zero")):
        with pytest.raises(ConfigError, match="is no file"):
            read_program(path)


def test_a_file_of_megabytes_is_no_environment(tmp_path: Path) -> None:
    (tmp_path / "huge.py").write_text("x = 1\n" * 200_000)
    with pytest.raises(ConfigError, match="more than 1000000 characters"):
        read_program(tmp_path / "huge.py")


def test_a_byte_order_mark_is_no_part_of_the_program(tmp_path: Path) -> None:
    (tmp_path / "windows.py").write_bytes(b"\xef\xbb\xbfx = 1\n")
    assert read_program(tmp_path / "windows.py") == "x = 1\n"


def test_the_program_of_a_saved_reply_is_read(tmp_path: Path) -> None:
    (tmp_path / "reply.md").write_text("Here:\n```python\nx = 1\n```\n")
    assert read_program(tmp_path / "reply.md") == "x = 1\n"
