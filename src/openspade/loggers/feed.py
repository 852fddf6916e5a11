"""Gives each cycle's metrics to the loggers once it is safe in the database. What fails there never reaches the run."""

from __future__ import annotations

import asyncio
import json
import logging
import math
import uuid
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol, TypeVar

from openspade.config import Config, LoggerName
from openspade.errors import ConfigError
from openspade.loggers.base import LoggedRun, Logger, LoggerKind
from openspade.loggers.kinds import KINDS
from openspade.parts import Archive
from openspade.types import CycleReport

log = logging.getLogger(__name__)

Result = TypeVar("Result")
NOTES = "loggers.json"
PATIENCE_S = 300.0
"""A logger that takes longer over one cycle, or over its end, is left behind."""


class PastMetrics(Protocol):
    """Every stored cycle's metrics."""

    def metrics(self) -> list[tuple[int, Mapping[str, float]]]: ...


@dataclass(kw_only=True)
class Feed:
    """An archive that tells the loggers what it has kept. One that fails is named once and told no more."""

    archive: Archive
    loggers: dict[str, Logger]
    notes: Notes

    async def remember(self, report: CycleReport) -> None:
        """Keep the cycle first; a cycle that was not kept is not logged."""
        await self.archive.remember(report)
        await self.tell([(report.cycle, report.metrics)])

    async def tell(self, cycles: Sequence[tuple[int, Mapping[str, float]]]) -> None:
        """Give each logger those of these cycles that it does not hold."""
        for name, logger in [*self.loggers.items()]:
            next_cycle = await attempt(name, partial(_give, logger, cycles))
            if next_cycle is None:
                del self.loggers[name]
            else:
                self.notes.next_cycles[name] = next_cycle
        self.notes.write()

    async def close(self) -> None:
        """Let each logger finish."""
        for name, logger in self.loggers.items():
            await attempt(name, logger.close)


@dataclass(kw_only=True)
class Notes:
    """What the run's folder knows of its loggers: who the run is to them, and how far each has come."""

    path: Path
    identity: str
    next_cycles: dict[str, int]

    @staticmethod
    def read(path: Path) -> Notes:
        """The folder's notes; a new identity where it has none."""
        known = json.loads(path.read_text("utf-8")) if path.exists() else {}
        identity = known.get("identity") or uuid.uuid4().hex[:8]
        return Notes(path=path, identity=identity, next_cycles=known.get("next_cycles", {}))

    def write(self) -> None:
        aside = self.path.with_suffix(".partial")
        aside.write_text(json.dumps({"identity": self.identity, "next_cycles": self.next_cycles}), encoding="utf-8")
        aside.replace(self.path)


@asynccontextmanager
async def feeding(
    archive: Archive,
    config: Config,
    directory: Path,
    past: PastMetrics,
    environment: Mapping[str, str],
    kinds: Mapping[LoggerName, LoggerKind] = KINDS,
) -> AsyncIterator[Archive]:
    """The archive, feeding the loggers that `run.loggers` names: first what they have missed, then every cycle."""
    if not config.run.loggers:
        yield archive
        return
    notes = Notes.read(directory / NOTES)
    feed = Feed(archive=archive, loggers={}, notes=notes)
    for name in config.run.loggers:
        run = LoggedRun(
            name=directory.name,
            directory=directory,
            identity=notes.identity,
            config=config.model_dump(mode="json", by_alias=True),
            next_cycle=notes.next_cycles.get(name, 0),
            environment=environment,
        )
        logger = await attempt(name, partial(kinds[name], run))
        if logger is not None:
            feed.loggers[name] = logger
    try:
        await feed.tell(past.metrics())
        yield feed
    finally:
        await feed.close()


def refuse_missing(names: Iterable[LoggerName], kinds: Mapping[LoggerName, LoggerKind] = KINDS) -> None:
    """Raises ConfigError with what to install: better now than after the first night."""
    for name in names:
        if find_spec(kinds[name].package) is None:
            raise ConfigError(f"run.loggers names {name!r}, which is not installed: pip install 'openspade[{name}]'")


async def attempt(name: str, act: Callable[[], Result]) -> Result | None:
    """What it gave; None where it failed, and a warning. In a thread: a slow server must not hold up the loop."""
    task = asyncio.wait_for(asyncio.to_thread(act), PATIENCE_S)
    # Loggers raise anything. As values, their failures need no handler that would also swallow ours.
    (given,) = await asyncio.gather(task, return_exceptions=True)
    if isinstance(given, BaseException):
        log.warning(
            "logger %s failed (%s: %s); the run goes on without it, a resume tries it again",
            name, type(given).__name__, given,
        )  # fmt: skip
        return None
    return given


def _give(logger: Logger, cycles: Sequence[tuple[int, Mapping[str, float]]]) -> int:
    for cycle, metrics in cycles:
        if cycle >= logger.next_cycle:
            logger.log(cycle, {name: value for name, value in metrics.items() if math.isfinite(value)})
            logger.next_cycle = cycle + 1
    return logger.next_cycle
