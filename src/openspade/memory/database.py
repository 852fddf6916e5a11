"""The run's SQLite file: opened by one writer, versioned, and with every failure said in words."""

from __future__ import annotations

import errno
import fcntl
import math
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import IO, TypeVar

import msgspec

from openspade.errors import StorageError

Record = TypeVar("Record")

DATABASE_FILE = "openspade.db"
APPLICATION_ID = 0x5350_4144
"""Marks a file as ours ("SPAD"), so that another program's database is refused instead of migrated."""
SCHEMA_VERSION = 1
BUSY_TIMEOUT_S = 10.0


class Database:
    """One connection to a run's file. A writer holds the run's lock until `close()`; readers need none."""

    def __init__(self, path: Path, *, readonly: bool = False) -> None:
        self.path = path
        self.readonly = readonly
        self._lock: IO[str] | None = None if readonly else _lock(path)
        try:
            with self.errors():
                self.connection = _connect(path, readonly=readonly)
                self._prepare()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Give the file and the lock back; harmless when repeated."""
        connection = getattr(self, "connection", None)
        if connection is not None:
            connection.close()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All of it or nothing. Raises StorageError."""
        if self.readonly:
            raise StorageError(f"{self.path} was opened for reading only; open the run itself to write")
        with self.errors():
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    def rows(self, statement: str, parameters: Sequence[object] = ()) -> list[sqlite3.Row]:
        """All rows of a query."""
        with self.errors():
            return self.connection.execute(statement, parameters).fetchall()

    def row(self, statement: str, parameters: Sequence[object] = ()) -> sqlite3.Row | None:
        """The first row of a query, if there is one."""
        with self.errors():
            return self.connection.execute(statement, parameters).fetchone()

    @contextmanager
    def errors(self) -> Iterator[None]:
        """SQLite's and the disk's complaints as StorageError: what, where, and what to do."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise StorageError(_explain(self.path, error)) from error

    def _prepare(self) -> None:
        version = self._number("user_version")
        if version == 0 and not self.readonly and not self.connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            self._create()
            return
        if self._number("application_id") != APPLICATION_ID:
            raise StorageError(f"{self.path} is not an OpenSPADE database; choose another run folder")
        if version > SCHEMA_VERSION:
            raise StorageError(
                f"{self.path} has schema version {version}, this OpenSPADE knows up to {SCHEMA_VERSION}: "
                f"update OpenSPADE; the file was not touched"
            )
        if version < SCHEMA_VERSION:
            self._upgrade(version)

    def _create(self) -> None:
        self.connection.execute("PRAGMA journal_mode = WAL")
        schema = (resources.files("openspade.memory") / "schema.sql").read_text(encoding="utf-8")
        apply_scripts(self.connection, {SCHEMA_VERSION: schema})

    def _upgrade(self, version: int) -> None:
        if self.readonly:
            raise StorageError(
                f"{self.path} has the older schema version {version}: open it once for writing (`openspade resume`) "
                f"to upgrade it to {SCHEMA_VERSION}"
            )
        folder = resources.files("openspade.memory") / "migrations"
        scripts = {int(item.name[:4]): item.read_text("utf-8") for item in folder.iterdir() if item.name[:4].isdigit()}
        apply_scripts(self.connection, {number: scripts[number] for number in range(version + 1, SCHEMA_VERSION + 1)})

    def _number(self, pragma: str) -> int:
        return int(self.connection.execute(f"PRAGMA {pragma}").fetchone()[0])


def as_record(kind: type[Record], row: sqlite3.Row, **others: object) -> Record:
    """A row as a record: each field from `others` or from the column of its name; SQLite's 0 and 1 as booleans."""
    return msgspec.convert(dict(row) | others, kind, strict=False)


def append_event(path: Path, cycle: int, kind: str, text: str) -> None:
    """One more event, through a connection of its own: for a thread whose run may hang. Raises StorageError."""
    try:
        connection = _connect(path, readonly=False)
        connection.execute("INSERT INTO events (cycle, kind, text) VALUES (?, ?, ?)", (cycle, kind, text))
        connection.close()
    except sqlite3.Error as error:
        raise StorageError(_explain(path, error)) from error


def apply_scripts(connection: sqlite3.Connection, scripts: Mapping[int, str]) -> None:
    """Run schema scripts in order of their version; each leaves its version behind or changes nothing."""
    for version, script in sorted(scripts.items()):
        marks = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {version};"
        try:
            connection.executescript(f"BEGIN IMMEDIATE; {script}\n{marks} COMMIT;")
        except sqlite3.Error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


def _connect(path: Path, *, readonly: bool) -> sqlite3.Connection:
    if readonly and not path.exists():
        raise StorageError(f"there is no database {path}; is it the folder of a run?")
    uri = f"{path.resolve().as_uri()}?mode={'ro' if readonly else 'rwc'}"
    if readonly and not os.access(path.parent, os.W_OK) and not _pending_log(path):
        # Reading a WAL database writes a file beside it; where that is impossible nobody else writes either.
        uri += "&immutable=1"
    connection = sqlite3.connect(uri, uri=True, timeout=BUSY_TIMEOUT_S, isolation_level=None)
    connection.row_factory = sqlite3.Row
    functions: Mapping[str, Callable[[float], float]] = {"log2": math.log2}
    for name, function in functions.items():
        connection.create_function(name, 1, function, deterministic=True)
    # FULL: a cycle that was reported as remembered must survive a power cut.
    for pragma in ("synchronous = FULL", "foreign_keys = ON", "cache_size = -65536", "temp_store = MEMORY"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def _pending_log(path: Path) -> bool:
    log = path.with_name(path.name + "-wal")
    return log.exists() and log.stat().st_size > 0


def _lock(path: Path) -> IO[str]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = path.with_name(path.name + ".lock").open("a+", encoding="utf-8")
    except OSError as error:
        raise StorageError(_explain(path, error)) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.seek(0)
        holder = lock.read().strip() or "unknown"
        lock.close()
        raise StorageError(
            f"run {path.parent} is in use by process {holder}: wait for it, stop it, or choose another run.name"
        ) from None
    lock.truncate(0)
    lock.write(str(os.getpid()))
    lock.flush()
    return lock


def _explain(path: Path, error: sqlite3.Error | OSError) -> str:
    text = str(error)
    if "disk is full" in text or getattr(error, "errno", None) == errno.ENOSPC:
        return f"the disk of {path} is full: free some space and resume; nothing of the running cycle was stored"
    if "readonly" in text or "read-only" in text.lower() or isinstance(error, PermissionError):
        return f"{path} cannot be written: its folder or disk is read-only for this user ({text})"
    if "locked" in text:
        return f"{path} stayed locked for {BUSY_TIMEOUT_S:.0f} s by another program: close it and resume"
    if "not a database" in text or "malformed" in text:
        return f"{path} is damaged or not a database ({text}): restore a copy; `openspade memory verify` says more"
    return f"{path}: {text}"
