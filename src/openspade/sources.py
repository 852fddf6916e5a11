"""Where a command's designs come from: files, folders of files, and the databases of runs."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from openspade.errors import ConfigError, StorageError
from openspade.memory.database import DATABASE_FILE
from openspade.roles.reply import extract_program
from openspade.settings.worlds import MemoryConfig

if TYPE_CHECKING:
    from openspade.memory.memory import Memory

RUNS = Path("runs")
STARTER = "pool:starter"
MAX_CHARACTERS = 1_000_000


def read_program(path: Path) -> str:
    """The program in a file: Python as it stands, or the fenced block of a reply that was saved as text."""
    if not path.is_file():
        raise ConfigError(
            f"{path} is {'no file' if path.exists() else 'not there'}: name a file, a folder or {STARTER}"
        )
    try:
        with path.open(encoding="utf-8-sig") as file:
            text = file.read(MAX_CHARACTERS + 1)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ConfigError(f"{path} cannot be read: {reason}") from None
    if len(text) > MAX_CHARACTERS:
        raise ConfigError(f"{path} holds more than {MAX_CHARACTERS} characters: that is no environment")
    return text if path.suffix == ".py" else extract_program(text) or text


def program_files(paths: Sequence[Path]) -> list[Path]:
    """The files named, and the Python files of the folders named, in order of name; `pool:starter` is a folder too."""
    found: list[Path] = []
    for path in map(pool_path, paths):
        if path.is_dir():
            inside = sorted(item for item in path.rglob("*.py") if not item.name.startswith("_"))
            if not inside:
                raise ConfigError(f"{path} holds no Python file: name a folder of environments, or a file")
            found += inside
        else:
            read_program(path)  # a wrong name is told before the first is judged
            found.append(path)
    return found


def pool_path(path: Path) -> Path:
    """Where `pool:starter` or `pool:starter/NAME` lies in the package; any other path as it is."""
    if not str(path).startswith("pool:"):
        return path
    pool, _, name = str(path).partition("/")
    if pool != STARTER:
        raise ConfigError(f"there is no {pool}; the package holds {STARTER}")
    folder = Path(str(resources.files("openspade"))) / "pool" / "starter"
    program = folder / f"{name.removesuffix('.py')}.py"
    if name and not (program.is_file() and program.parent == folder):
        names = sorted(item.stem for item in folder.glob("*.py"))
        close = difflib.get_close_matches(name, names, n=1)
        advice = f"did you mean {STARTER}/{close[0]}?" if close else f"it holds {', '.join(names)}"
        raise ConfigError(f"{STARTER} holds no {name}; {advice}")
    return program if name else folder


def shown_path(path: Path) -> str:
    """A path as a user would name it."""
    folder = pool_path(Path(STARTER))
    return f"{STARTER}/{path.stem}" if path.is_relative_to(folder) else str(path)


def open_memory(run: Path) -> Memory:
    """A run's memory for reading, beside a training that may be writing it. Raises StorageError."""
    from openspade.memory.memory import Memory  # noqa: PLC0415  (most commands read no run)

    return Memory.open(run / DATABASE_FILE, MemoryConfig(), readonly=True)


def find_source(name: str, run: Path | None) -> str:
    """A program by its file, its name in the starter pool, or a design's id (its beginning is enough) in a run."""
    path = pool_path(Path(name))
    if path.is_dir():
        raise ConfigError(f"{name} is a folder: name one environment in it, such as {_one_of(name, path)}")
    if path.exists():
        return read_program(path)
    if run:
        return _stored_source(run, name)
    if not name.isalnum():
        raise ConfigError(f"there is no file {name}")
    for folder in sorted(path.parent for path in RUNS.glob(f"*/{DATABASE_FILE}")):
        try:
            return _stored_source(folder, name)
        except StorageError:
            continue
    raise ConfigError(
        f"{name} is neither a file nor the beginning of a design's id in a run under {RUNS}/; use --run RUN"
    )


def _one_of(name: str, folder: Path) -> str:
    first = next(iter(sorted(folder.glob("*.py"))), Path("FILE.py"))
    return f"{name}/{first.stem}" if name == STARTER else str(folder / first.name)


def _stored_source(run: Path, prefix: str) -> str:
    with open_memory(run) as memory:
        return memory.design(prefix).design.source
