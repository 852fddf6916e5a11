"""What a logger is, and what it is told about the run that it logs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from openspade.tokens import JSON


@dataclass(frozen=True, kw_only=True, slots=True)
class LoggedRun:
    """The run that is logged. `identity` is this folder's own, the same after a resume.

    `next_cycle` is the first cycle that the logger was not given before, as far as the run's folder knows.
    `environment` holds the user's variables: where one of them says where to log to, it counts.
    """

    name: str
    directory: Path
    identity: str
    config: Mapping[str, JSON]
    next_cycle: int
    environment: Mapping[str, str]


class Logger(Protocol):
    """Takes each cycle's metrics once, in order. It may raise whatever it likes: the run goes on without it."""

    next_cycle: int
    """The first cycle that it does not hold."""

    def log(self, cycle: int, metrics: Mapping[str, float]) -> None:
        """Keep a cycle's metrics, all of them finite; the cycle's number is the step."""
        ...

    def close(self) -> None:
        """Bring to disk what is still held back."""
        ...


class LoggerKind(Protocol):
    """Opens a logger for a run; `package` is what it imports for that, installed by the extra of the logger's name."""

    @property
    def package(self) -> str: ...

    def __call__(self, run: LoggedRun) -> Logger: ...
