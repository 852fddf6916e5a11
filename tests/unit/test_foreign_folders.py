"""A run's folder may be a stranger's: what it names, and what it packs."""

from __future__ import annotations

import resource
import time
from pathlib import Path

import pytest
import zstandard

from openspade.config import Config
from openspade.errors import ConfigError, StorageError
from openspade.memory.archive import lines_of
from openspade.memory.read.excerpts import first_observation, read_draft
from openspade.memory.write.history import episodes_path, read_episodes
from openspade.recipe import load
from openspade.run_folder import refuse_foreign_servers

REVIEWER = 'gates.reviewer="https://evil.example/v1 model"'
SERVER = ("policy.engine=tinker", "tinker.server=skyrl", "tinker.url=https://evil.example")
BOMBS = {
    "zeros": b"0" * (1 << 26),
    "line ends": b"\n" * (1 << 25),
    "short lines": b"{}\n" * (1 << 24),
    "nested": b"[" * (1 << 26),
}


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "mine")
    monkeypatch.setenv("TINKER_API_KEY", "tml-mine")


@pytest.mark.usefixtures("keys")
@pytest.mark.parametrize("settings", [(REVIEWER,), SERVER], ids=["reviewer", "tinker"])
def test_a_strangers_folder_does_not_decide_where_keys_go(settings: tuple[str, ...]) -> None:
    with pytest.raises(ConfigError, match=r"would go there: say so yourself"):
        refuse_foreign_servers(Path("runs/theirs"), load(None, settings), [])
    refuse_foreign_servers(Path("runs/theirs"), load(None, settings), settings)


@pytest.mark.usefixtures("keys")
@pytest.mark.parametrize("url", ["http://127.0.0.1:8000/v1", "http://localhost:8000/v1", "http://[::1]:8000/v1"])
def test_a_server_on_this_machine_needs_no_word(url: str) -> None:
    refuse_foreign_servers(Path("runs/mine"), load(None, [f'gates.reviewer="{url} model"']), [])


@pytest.mark.usefixtures("keys")
def test_a_name_that_only_begins_like_this_machine_is_another(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"localhost\.evil\.example"):
        refuse_foreign_servers(tmp_path, load(None, ['gates.reviewer="http://localhost.evil.example/v1 m"']), [])


def test_without_a_key_nothing_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("TINKER_API_KEY", raising=False)
    refuse_foreign_servers(Path("runs/theirs"), load(None, [REVIEWER, *SERVER]), [])
    refuse_foreign_servers(Path("runs/theirs"), Config(), [])


@pytest.mark.parametrize("content", BOMBS.values(), ids=BOMBS)
def test_a_small_archive_costs_little_whatever_it_unpacks_to(tmp_path: Path, content: bytes) -> None:
    path = episodes_path(tmp_path, 0)
    path.parent.mkdir()
    path.write_bytes(zstandard.ZstdCompressor(level=1).compress(content))
    assert path.stat().st_size < 150_000
    before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    with pytest.raises(StorageError, match="unpacks to more than a history holds"):
        first_observation(tmp_path, 0, 10**9)
    with pytest.raises((StorageError, ValueError, RecursionError)):
        read_episodes(tmp_path, 0)
    assert time.process_time() - began < 4
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 150_000


def test_lines_are_read_over_the_borders_of_pieces(tmp_path: Path) -> None:
    lines = [b"x" * size for size in (0, 1, 300_000, 262_144, 5, 1_000_000)]
    for end in (b"", b"\n"):
        (tmp_path / "a").write_bytes(zstandard.compress(b"\n".join(lines) + end))
        assert list(lines_of(tmp_path / "a")) == lines


def test_a_missing_or_broken_archive_is_named(tmp_path: Path) -> None:
    (tmp_path / "drafts").mkdir()
    (tmp_path / "drafts" / "cycle_000000.jsonl.zst").write_bytes(b"no archive")
    with pytest.raises(StorageError, match="cannot be read"):
        read_draft(tmp_path, 0, "d")
    with pytest.raises(StorageError, match="was not stored"):
        read_draft(tmp_path, 1, "d")
