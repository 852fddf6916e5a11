"""How a run and a command end: the last cycle is examined, and a reader that leaves is no fault."""

import subprocess
import sys
from pathlib import Path

from openspade.config import Config
from openspade.memory.memory import Memory
from openspade.settings.worlds import MemoryConfig
from tests.end_to_end.runs import play, settings


def examined(directory: Path) -> list[int]:
    with Memory.open(directory / "openspade.db", MemoryConfig(), readonly=True) as memory:
        return sorted({row.cycle if hasattr(row, "cycle") else row[0] for row in memory.evaluations()})


def with_scores(directory: Path, cycles: int, every: int) -> Config:
    config = settings(directory, cycles)
    return config.model_copy(update={"evaluate": config.evaluate.model_copy(update={"every": every, "plays": 1})})


async def test_the_last_cycle_is_examined_also_where_none_is_due(tmp_path: Path) -> None:
    await play(with_scores(tmp_path, 2, every=3), tmp_path)
    assert examined(tmp_path) == [-1, 1]
    await play(with_scores(tmp_path, 4, every=3), tmp_path)
    assert examined(tmp_path) == [-1, 1, 2, 3]


def test_a_reader_that_leaves_ends_a_command_as_the_docs_say(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "openspade", "evaluate", "--suite", "nano", "--policy", "oracle"]
    with subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as command:
        assert command.stdout is not None and command.stderr is not None
        command.stdout.close()
        said = command.stderr.read()
    assert command.returncode == 141 and "Traceback" not in said
