"""Runs for programs and notebooks: started, gone on with, and read as rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from openspade.api.background import Background
from openspade.config import Config
from openspade.memory.memory import Memory
from openspade.memory.read.design_list import StoredDesign, Wanted
from openspade.memory.write.history import read_episodes
from openspade.recipe import load
from openspade.run_folder import new_run_directory, refuse_foreign_servers, stored_config
from openspade.sources import open_memory
from openspade.types import CycleReport, Episode


class StoredRun:
    """A stored run, read beside whoever may be writing it. Use it in a `with` block, or `close()` it.

    >>> with open_run("runs/nano") as run:  # doctest: +SKIP
    ...     best = max(run.designs(), key=lambda row: row.stats.regret if row.stats else 0)
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.config = stored_config(folder)
        self._memory: Memory = open_memory(folder)

    @property
    def cycles(self) -> int:
        """Whole cycles that are stored."""
        return self._memory.last_cycle() + 1

    def designs(
        self, *, skill: str | None = None, accepted: bool | None = True, solve_rates: tuple[float, float] | None = None
    ) -> Iterator[StoredDesign]:
        """Designs with their verdict and latest statistics, oldest first; None leaves a condition out."""
        wanted = Wanted(skill=skill, accepted=accepted, solve_rates=solve_rates, order="oldest", limit=-1)
        yield from self._memory.designs(wanted)

    def episodes(self, cycle: int | None = None) -> Iterator[Episode]:
        """Episodes of one cycle, or of all in order, with every turn and token."""
        for one in range(self.cycles) if cycle is None else [cycle]:
            yield from read_episodes(self.folder, one)

    def metrics(self) -> list[Mapping[str, float]]:
        """One row a cycle, by metric name (docs/metrics.md), with `cycle` first."""
        return [{"cycle": float(cycle), **row} for cycle, row in self._memory.metrics()]

    def evaluations(self) -> list[Mapping[str, float | str]]:
        """One row for each held-out evaluation: `cycle`, `suite`, and its scores."""
        return [{"cycle": cycle, "suite": suite, **scores} for cycle, suite, scores in self._memory.evaluations()]

    def close(self) -> None:
        self._memory.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def open_run(folder: str | Path) -> StoredRun:
    """A run's folder, for reading. Raises ConfigError where it holds none, StorageError where it cannot be read."""
    return StoredRun(Path(folder))


def load_config(recipe: str | Path, **settings: object) -> Config:
    """A recipe by its name or path; `settings` replace some of it, dots as double underscores: `run__cycles=3`."""
    return load(Path(recipe), [f"{name.replace('__', '.')}={_toml(value)}" for name, value in settings.items()])


def train(
    recipe: str | Path | Config, *, on_cycle: Callable[[CycleReport], None] | None = None, **settings: object
) -> StoredRun:
    """Start a new run and play all its cycles; `on_cycle` is called after each. The run comes back, for reading.

    >>> run = train("nano", run__cycles=3, on_cycle=lambda report: print(report.metrics))  # doctest: +SKIP
    """
    config = recipe if isinstance(recipe, Config) else load_config(recipe, **settings)
    return _cycles(config, new_run_directory(config), on_cycle)


def resume(
    folder: str | Path, *, cycles: int | None = None, on_cycle: Callable[[CycleReport], None] | None = None
) -> StoredRun:
    """Go on with a run after its last whole cycle, to `cycles` in all where that is given."""
    config = stored_config(Path(folder), [f"run.cycles={cycles}"] if cycles else [])
    refuse_foreign_servers(Path(folder), config, [])
    return _cycles(config, Path(folder), on_cycle)


def _cycles(config: Config, directory: Path, on_cycle: Callable[[CycleReport], None] | None) -> StoredRun:
    from openspade.assembly import open_run as open_trained  # noqa: PLC0415  (reading a run needs no engine)

    async def play_all() -> None:
        async with open_trained(config, directory) as run:
            async for report in run.cycles():
                if on_cycle:
                    on_cycle(report)

    loop = Background()
    try:
        loop.call(play_all())
    finally:
        loop.close()
    return StoredRun(directory)


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return value if isinstance(value, str) else repr(value)
