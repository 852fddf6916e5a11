"""Designs as files: for `openspade check`, for a fixed pool, for other projects, and for another run's memory.

A folder of programs with `designs.jsonl` beside them, which holds what plays showed, or that file alone.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec

from openspade.errors import ConfigError, StorageError
from openspade.memory.search.recall import headline
from openspade.memory.write.exchange import Exported
from openspade.roles.source import design_id, read_design
from openspade.types import Design, DesignStats, Document

FACTS = "designs.jsonl"
NAME_CHARACTERS = 40


class _Row(msgspec.Struct):
    """A line of the file. Only `source` is needed; title, skill and kind are for whoever reads it without us."""

    source: str
    id: str = ""
    title: str = ""
    skill: str = ""
    kind: str = ""
    asked_skill: str = ""
    document: Document | None = None
    stats: DesignStats | None = None
    unaided_plays: int = 0
    policy_version: int = 0


def write_designs(designs: Iterable[Exported], output: Path, progress: Callable[[int], None] = lambda _: None) -> int:
    """Write designs to a `.jsonl` file, or to a new folder of one program each; returns how many.

    Written aside and renamed. Raises StorageError.
    """
    aside = output.with_name(output.name + ".partial")
    try:
        if output.suffix == ".jsonl":
            written = _write_facts(designs, aside, progress)
        else:
            if output.exists() and (not output.is_dir() or any(output.iterdir())):
                raise StorageError(f"{output} exists and is not an empty folder: name another, or FILE.jsonl")
            shutil.rmtree(aside, ignore_errors=True)
            aside.mkdir(parents=True)
            written = _write_facts(_write_programs(designs, aside), aside / FACTS, progress)
        aside.replace(output)
    except OSError as error:
        raise StorageError(f"{output} cannot be written: {error.strerror}") from error
    finally:
        shutil.rmtree(aside, ignore_errors=True)
        if aside.is_file():
            aside.unlink()
    return written


def read_designs(path: Path) -> Iterator[Exported]:
    """The designs of a folder of programs, of a `.jsonl` file, or of one program. Raises ConfigError.

    What a design is, its program says; a line of the file only adds what plays showed of that very program.
    """
    if path.suffix == ".jsonl":
        for number, row in enumerate(_rows(path), start=1):
            yield _exported(row, f"{path}, line {number}")
        return
    facts = {row.id: row for row in _rows(path / FACTS)} if (path / FACTS).is_file() else {}
    programs = sorted(item for item in path.rglob("*.py") if not item.name.startswith("_")) if path.is_dir() else [path]
    if not programs:
        raise ConfigError(f"{path} holds no Python file: name a run, a folder of environments, or a file")
    for program in programs:
        source = _text(program)
        yield _exported(facts.get(design_id(source), _Row(source=source)), str(program))


def _write_programs(designs: Iterable[Exported], folder: Path) -> Iterator[Exported]:
    for exported in designs:
        words = re.sub(r"[^a-z0-9]+", "_", headline(exported.design.title).lower())[:NAME_CHARACTERS].strip("_")
        path = folder / f"{words or 'design'}_{exported.design.id[:8]}.py"
        path.write_text(exported.design.source, encoding="utf-8", newline="")
        yield exported


def _write_facts(designs: Iterable[Exported], path: Path, progress: Callable[[int], None]) -> int:
    written = 0
    with path.open("wb") as file:
        for written, exported in enumerate(designs, start=1):
            file.write(msgspec.json.encode(_row(exported)) + b"\n")
            progress(written)
    return written


def _row(exported: Exported) -> _Row:
    design = exported.design
    return _Row(
        source=design.source,
        id=design.id,
        title=design.title,
        skill=design.skill,
        kind=design.kind,
        asked_skill=exported.asked_skill,
        document=exported.document,
        stats=exported.stats,
        unaided_plays=exported.unaided_plays,
        policy_version=exported.policy_version,
    )


def _exported(row: _Row, where: str) -> Exported:
    design = read_design(row.source)
    if not isinstance(design, Design):
        raise ConfigError(f"{where} holds no environment: {design.message} {design.evidence}".rstrip())
    # Plays of another program under this id say nothing of this one.
    stats = row.stats if row.id == design.id else None
    return Exported(
        design=design,
        asked_skill=row.asked_skill or design.skill,
        document=row.document,
        stats=stats,
        unaided_plays=row.unaided_plays if stats else 0,
        policy_version=row.policy_version if stats else 0,
    )


def _rows(path: Path) -> Iterator[_Row]:
    decoder = msgspec.json.Decoder(_Row)
    number = 0
    try:
        with path.open("rb") as file:
            for line in file:
                number += 1
                yield decoder.decode(line)
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    except msgspec.MsgspecError as error:
        raise ConfigError(f"{path}, line {number}: {error}; `openspade memory export` writes such files") from None


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path} cannot be read: it is not UTF-8 text") from None
