"""`sweep`: one recipe under several settings and seeds, run to their ends, resumable, with the time told beforehand."""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn
from rich.progress import Progress as Bars

from openspade.cli.stopping import stop_on_signals
from openspade.cli.sweep_grid import SweepProgress, SweepRun, command, expand_grid, read_progress, seconds_left
from openspade.cli.terminal import own_command, plain, screen, show
from openspade.cli.train import Overrides
from openspade.errors import RunError
from openspade.runview.formats import duration

LOOK_EVERY_S = 2.0
LAST_WORDS = 5


def register(app: typer.Typer) -> None:
    app.command()(sweep)


def sweep(  # noqa: PLR0913 - one option each
    recipe: Annotated[Path, typer.Argument(metavar="RECIPE", help="A name from `openspade recipes`, or a TOML file.")],
    overrides: Overrides = None,
    *,
    over: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE,...", help="A setting and its values; repeat for a grid.")
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, help="Run each setting with run.seed 0, 1, ...")] = 3,
    jobs: Annotated[int, typer.Option(min=1, help="Runs at a time.")] = 1,
    directory: Annotated[
        Path | None, typer.Option(help="Where the runs are kept; runs/NAME-sweep when left out.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would run and how long it takes.")] = False,
) -> None:
    """Run a recipe under every combination of settings with several seeds.

    Each run is an `openspade train` of its own; what it prints is in NAME.log beside its folder. The same command goes
    on after an interruption: finished runs stay, begun ones are resumed. Ctrl-C lets the running cycles end.
    An empty value is a value: `--over control=,fixed_pool` compares self-play with a fixed pool.

    Example: `openspade sweep nano --over control=,frozen_designer --seeds 5 --jobs 2 run.cycles=60`
    """
    runs = expand_grid(recipe, over or [], seeds, overrides or [], directory)
    state = Sweep(recipe=recipe, runs=runs, jobs=jobs)
    _announce(state, seeds)
    if dry_run:
        for run, found in zip(runs, state.progress, strict=True):
            show(f"  {run.directory}  {found.cycles}/{run.cycles} cycles  {run.setting}")
        return
    exit_code = asyncio.run(_run_all(state))
    if state.failed:
        raise RunError(f"{len(state.failed)} of {len(runs)} runs failed:\n" + "\n".join(map(_last_words, state.failed)))
    if exit_code:
        show("Stopped; the same command goes on.")
        raise typer.Exit(exit_code)
    screen.print(f"{len(runs)} runs are finished.  Compare them: {own_command()} compare {_home(runs)}", soft_wrap=True)


@dataclass(slots=True)
class Sweep:
    """What there is to run, how far it is, and what failed."""

    recipe: Path
    runs: Sequence[SweepRun]
    jobs: int
    progress: list[SweepProgress] = field(default_factory=list)
    running: dict[Path, asyncio.subprocess.Process] = field(default_factory=dict)
    failed: list[SweepRun] = field(default_factory=list)
    stopping: bool = False

    def __post_init__(self) -> None:
        self.look()

    def look(self) -> None:
        """Read every unfinished run's database."""
        if not self.progress:
            self.progress = [read_progress(run) for run in self.runs]
        for place, run in enumerate(self.runs):
            if run.directory in self.running:
                self.progress[place] = read_progress(run)

    def is_done(self, run: SweepRun) -> bool:
        return self.progress[self.runs.index(run)].cycles >= run.cycles

    def seconds_left(self) -> float | None:
        return seconds_left(self.runs, self.progress, self.jobs)

    def interrupt(self) -> None:
        """Start nothing more, and let the running ones finish their cycle."""
        self.stopping = True
        for process in self.running.values():
            process.send_signal(signal.SIGINT)


def _announce(state: Sweep, seeds: int) -> None:
    done = sum(map(state.is_done, state.runs))
    begun = sum(0 < found.cycles < run.cycles for run, found in zip(state.runs, state.progress, strict=True))
    show(
        f"{len(state.runs)} runs of {state.runs[0].cycles} cycles ({len(state.runs) // seeds} settings, "
        f"{seeds} seeds), {state.jobs} at a time, in {_home(state.runs)}: {done} finished, {begun} to go on with."
    )
    show(_estimate(state) or "How long it takes is said after the first cycle.", style="bold")


def _estimate(state: Sweep) -> str:
    left = state.seconds_left()
    if left is None:
        return ""
    pace = [found.seconds_a_cycle for found in state.progress if found.seconds_a_cycle]
    return f"About {duration(left)} to go, at the {duration(sum(pace) / len(pace))} a cycle measured so far."


async def _run_all(state: Sweep) -> int:
    with stop_on_signals(state.interrupt, state.interrupt) as stop:
        watcher = asyncio.create_task(_watch(state))
        places = asyncio.Semaphore(state.jobs)
        async with asyncio.TaskGroup() as group:
            for run in state.runs:
                if not state.is_done(run):
                    group.create_task(_run_one(state, run, places))
        watcher.cancel()
    return stop.exit_code if not all(map(state.is_done, state.runs)) else 0


async def _run_one(state: Sweep, run: SweepRun, places: asyncio.Semaphore) -> None:
    async with places:
        if state.stopping:
            return
        started = time.monotonic()
        run.directory.parent.mkdir(parents=True, exist_ok=True)
        words = [sys.executable, "-m", "openspade", *command(state.recipe, run)]
        with _log(run).open("ab") as log:
            # In a session of its own, so that Ctrl-C reaches it once, from here.
            process = await asyncio.create_subprocess_exec(*words, stdout=log, stderr=log, start_new_session=True)
            state.running[run.directory] = process
            await process.wait()
        state.look()
        del state.running[run.directory]
        if state.is_done(run):
            _say(f"{run.directory.name}: finished, {duration(time.monotonic() - started)}")
        elif not state.stopping:
            state.failed.append(run)
            _say(f"{run.directory.name}: failed with exit code {process.returncode}, see {_log(run)}")


async def _watch(state: Sweep) -> None:
    """Keep the figures fresh: bars on a terminal; elsewhere the estimate once it is known."""
    told = bool(_estimate(state))
    bars = Bars(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn("{task.fields[note]}", markup=False),
        console=screen,
        disable=not screen.is_terminal,
    )
    tasks: dict[Path, TaskID] = {}
    with bars:
        whole = bars.add_task("all cycles", total=sum(run.cycles for run in state.runs), note="")
        try:
            while True:
                await asyncio.sleep(LOOK_EVERY_S)
                state.look()
                if not told and (estimate := _estimate(state)):
                    _say(estimate)
                    told = True
                _draw(bars, tasks, whole, state)
        finally:
            _draw(bars, tasks, whole, state)


def _draw(bars: Bars, tasks: dict[Path, TaskID], whole: TaskID, state: Sweep) -> None:
    left = state.seconds_left()
    note = "stopping after the running cycles" if state.stopping else f"{duration(left)} left" if left else ""
    done = sum(min(found.cycles, run.cycles) for run, found in zip(state.runs, state.progress, strict=True))
    bars.update(whole, completed=done, note=note)
    for folder in [*tasks]:
        if folder not in state.running:
            bars.remove_task(tasks.pop(folder))
    for run, found in zip(state.runs, state.progress, strict=True):
        if run.directory in state.running:
            if run.directory not in tasks:
                tasks[run.directory] = bars.add_task(plain(run.directory.name), total=run.cycles, note="")
            pace = f"{duration(found.seconds_a_cycle)} a cycle" if found.seconds_a_cycle else "starting"
            bars.update(tasks[run.directory], completed=found.cycles, note=pace)


def _say(text: str) -> None:
    screen.print(plain(text), soft_wrap=True)


def _log(run: SweepRun) -> Path:
    return run.directory.with_name(f"{run.directory.name}.log")


def _last_words(run: SweepRun) -> str:
    lines = _log(run).read_text(encoding="utf-8", errors="replace").splitlines() if _log(run).exists() else []
    told = [line for line in lines[-LAST_WORDS:] if line.strip()]
    return f"  {run.directory.name}: {told[-1] if told else 'it said nothing'} ({_log(run)})"


def _home(runs: Sequence[SweepRun]) -> Path:
    return runs[0].directory.parent
