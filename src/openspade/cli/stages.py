"""Long work told stage by stage: a bar in a terminal, lines in a log file."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from openspade.cli.terminal import complaints
from openspade.runview.formats import duration

if TYPE_CHECKING:
    from openspade.engine.training.supervised import Stage, StageReport

LINE_EVERY_S = 60.0


@contextmanager
def stages() -> Iterator[StageReport]:
    """A bar in a terminal; in a log file a line for each stage, and one a minute."""
    if not complaints.is_terminal:
        yield _line_a_minute(time.monotonic)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[note]}"), TimeRemainingColumn())
    with Progress(*columns, console=complaints) as bar:
        task = bar.add_task("start", total=1.0, note="")

        def report(stage: Stage) -> None:
            if bar.tasks[0].description != stage.name:
                bar.reset(task, total=1.0, description=stage.name, note="")
            bar.update(task, completed=stage.done, note=stage.note)

        yield report


def _line_a_minute(clock: Callable[[], float]) -> StageReport:
    told: dict[str, float] = {}
    began: dict[str, float] = {}

    def report(stage: Stage) -> None:
        now = clock()
        first = began.setdefault(stage.name, now)
        if now - told.get(stage.name, -LINE_EVERY_S) >= LINE_EVERY_S:
            told[stage.name] = now
            left = (now - first) * (1 - stage.done) / stage.done if stage.done else 0.0
            words = [stage.name, f"{stage.done:.0%}", stage.note, f"{duration(left)} left" if left else ""]
            complaints.print("  ".join(filter(None, words)), soft_wrap=True)

    return report
