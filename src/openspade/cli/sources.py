"""Where a command's designs come from: files, folders of files, and the databases of runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from openspade.errors import ConfigError, StorageError
from openspade.roles.source import extract_program
from openspade.settings.worlds import MemoryConfig

if TYPE_CHECKING:
    from openspade.memory.memory import Memory

RUNS = Path("runs")
DATABASE = "openspade.db"


def read_program(path: Path) -> str:
    """The program in a file: Python as it stands, or the fenced block of a reply that was saved as text."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ConfigError(f"{path} cannot be read: {reason}") from None
    return text if path.suffix == ".py" else extract_program(text) or text


def program_files(paths: Sequence[Path]) -> list[Path]:
    """The files named, and the Python files of the folders named, in order of name."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(item for item in path.rglob("*.py") if not item.name.startswith("_"))
            if not inside:
                raise ConfigError(f"{path} holds no Python file: name a folder of environments, or a file")
            found += inside
        else:
            found.append(path)
    return found


def open_memory(run: Path) -> Memory:
    """A run's memory for reading, beside a training that may be writing it. Raises StorageError."""
    from openspade.memory.memory import Memory

    return Memory.open(run / DATABASE, MemoryConfig(), readonly=True)


def find_source(name: str, run: Path | None) -> str:
    """A program by its file, or by a design's id (its beginning is enough) in a run, or in any run under `runs/`."""
    if Path(name).exists():
        return read_program(Path(name))
    if run:
        return _stored_source(run, name)
    if not name.isalnum():
        raise ConfigError(f"there is no file {name}")
    for folder in sorted(path.parent for path in RUNS.glob(f"*/{DATABASE}")):
        try:
            return _stored_source(folder, name)
        except StorageError:
            continue
    raise ConfigError(
        f"{name} is neither a file nor the beginning of a design's id in a run under {RUNS}/; use --run RUN"
    )


def _stored_source(run: Path, prefix: str) -> str:
    with open_memory(run) as memory:
        return memory.design(prefix).design.source
