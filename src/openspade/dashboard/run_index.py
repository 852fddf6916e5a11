"""Which runs there are under a folder, and how one is opened for reading beside its training."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from openspade.config import Config
from openspade.errors import ConfigError
from openspade.memory.database import Database
from openspade.memory.search.design_search import DesignSearch
from openspade.run_folder import DATABASE_FILE, stored_config

DEEPEST = 3
"""Folders between the root and a run's database, at most."""


class NoSuchRun(Exception):
    """A page asks for a run that is not in the index."""


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenRun:
    """A run while a page reads it. `config` is None where this OpenSPADE does not understand the stored one."""

    slug: str
    directory: Path
    database: Database
    gallery: DesignSearch
    config: Config | None

    @property
    def settings(self) -> Config:
        """The stored configuration, or the defaults."""
        return self.config or Config()


class RunIndex:
    """A run's folder, or a folder of runs. Galleries outlive requests; everything else is read afresh."""

    def __init__(self, root: Path) -> None:
        if not root.is_dir():
            raise ConfigError(f"there is no folder {root}: name a run, or the folder that holds your runs (runs/)")
        self.root = root.resolve()
        self._galleries: dict[Path, DesignSearch] = {}
        self._lock = threading.Lock()

    @property
    def holds_one_run(self) -> bool:
        return (self.root / DATABASE_FILE).exists()

    def runs(self) -> dict[str, Path]:
        """Folders of runs by the name they have in addresses, in order of name."""
        if self.holds_one_run:
            return {self.root.name: self.root}
        found = sorted(
            folder
            for folder in _folders(self.root, DEEPEST)
            if folder != self.root and (folder / DATABASE_FILE).exists()
        )
        return {"~".join(folder.relative_to(self.root).parts): folder for folder in found}

    def directory(self, slug: str) -> Path:
        """Raises NoSuchRun."""
        try:
            return self.runs()[slug]
        except KeyError:
            raise NoSuchRun(slug) from None

    @contextmanager
    def open(self, slug: str) -> Iterator[OpenRun]:
        """Read a run. Raises NoSuchRun, StorageError."""
        directory = self.directory(slug)
        database = Database(directory / DATABASE_FILE, readonly=True)
        try:
            yield OpenRun(
                slug=slug,
                directory=directory,
                database=database,
                gallery=self._gallery(directory),
                config=_config(directory),
            )
        finally:
            database.close()

    def _gallery(self, directory: Path) -> DesignSearch:
        with self._lock:
            return self._galleries.setdefault(directory, DesignSearch())

    def close(self) -> None:
        """Give the galleries' memory back."""
        with self._lock:
            for gallery in self._galleries.values():
                gallery.close()
            self._galleries.clear()


def writer_of(directory: Path) -> int | None:
    """The process that trains a run now; None when nobody does.

    A look at the lock must not take it: a training that starts at this moment would be refused.
    """
    path = directory / f"{DATABASE_FILE}.lock"
    try:
        pid, inode = int(path.read_text(encoding="utf-8") or "0"), path.stat().st_ino
        os.kill(pid, 0)
    except (OSError, ValueError):
        return None
    try:
        held = Path("/proc/locks").read_text(encoding="utf-8")
    except OSError:
        return pid or None
    locks = [line.split() for line in held.splitlines()]
    return (
        pid if any(len(lock) > 5 and lock[1] == "FLOCK" and lock[5].endswith(f":{inode}") for lock in locks) else None
    )


def _config(directory: Path) -> Config | None:
    try:
        return stored_config(directory)
    except ConfigError:
        return None


def _folders(folder: Path, depth: int) -> Iterator[Path]:
    yield folder
    if depth <= 1 or (folder / DATABASE_FILE).exists():
        return
    try:
        inside = [item for item in folder.iterdir() if item.is_dir() and not item.name.startswith(".")]
    except OSError:
        return
    for item in inside:
        yield from _folders(item, depth - 1)
