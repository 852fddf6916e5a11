"""`train` and `resume`: all cycles of a run, watched."""

from __future__ import annotations

import asyncio
import shutil
import time
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from openspade.cli.live_panel import View, choose_view
from openspade.cli.run_summary import LiveRun
from openspade.cli.stopping import stop_on_signals
from openspade.cli.terminal import own_command, screen, show
from openspade.config import Config
from openspade.metrics.catalogue import metric
from openspade.recipe import flat
from openspade.runview.formats import duration, written
from openspade.runview.view import SCORE, RunView, held_out

Overrides = Annotated[
    list[str] | None,
    typer.Argument(metavar="SECTION.KEY=VALUE", help="Settings that replace the recipe's, e.g. run.cycles=20."),
]


class Only(StrEnum):
    """What a new run takes over from an earlier one."""

    weights = "weights"
    memory = "memory"


AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object a cycle.")]


def register(app: typer.Typer) -> None:
    app.command()(train)
    app.command()(resume)


def train(
    recipe: Annotated[
        Path,
        typer.Argument(
            metavar="RECIPE", help="A name from `openspade recipes`, or a TOML file; nano runs on a laptop."
        ),
    ],
    overrides: Overrides = None,
    as_json: AsJson = False,
) -> None:
    """Start a new run: the policy writes environments, plays them, and learns from both.

    The run's folder (runs/NAME, numbered when taken) keeps everything: configuration, database, every episode, weights.
    Ctrl-C stops after the running cycle, a second one at once; `openspade resume` goes on.

    Example: `openspade train nano run.cycles=20 run.seed=1`
    """
    from openspade.recipe import load
    from openspade.run_folder import new_run_directory

    config = load(recipe, overrides or [])
    directory = new_run_directory(config)
    try:
        _run(config, directory, as_json=as_json)
    finally:
        if not (directory / "checkpoints").exists():
            # No cycle came to its end: a run that is nothing but its name would only be in the way.
            shutil.rmtree(directory)


def resume(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The run's folder, e.g. runs/nano.")],
    overrides: Overrides = None,
    cycles: Annotated[int | None, typer.Option(min=1, help="Go on to this number of cycles instead.")] = None,
    only: Annotated[
        Only | None,
        typer.Option(help="Begin a new run beside this one from its latest weights, or from all it remembers."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Go on with a run after its last whole cycle, exactly as if it had never stopped.

    Settings that change what it does are refused with a list: a run is one experiment. With `--only` they are welcome,
    because that begins a new run: `weights` forgets the designs, `memory` starts from the untrained policy.

    Example: `openspade resume runs/nano --cycles 300`

    Example: `openspade resume runs/nano --only weights run.name=second reward.kind=gated`
    """
    from openspade.run_folder import begin_from, refuse_foreign_servers, stored_config

    more = [f"run.cycles={cycles}"] if cycles is not None else []
    config = stored_config(run, [*(overrides or []), *more])
    refuse_foreign_servers(run, config, overrides or [])
    if only is not None:
        run = begin_from(run, config, only.value)
        show(f"{run}: a new run with the {only.value} of the earlier one")
    _run(config, run, as_json=as_json)


def _run(config: Config, directory: Path, *, as_json: bool) -> None:
    settings = flat(config.model_dump(mode="json", by_alias=True))
    course = LiveRun(view=RunView(name=str(directory), settings=settings))
    view = choose_view(course, as_json=as_json)
    if not as_json:
        show(f"{directory}: loading the policy")
    started = time.monotonic()
    exit_code = asyncio.run(_play(config, directory, course, view))
    if not as_json:
        _farewell(course, time.monotonic() - started)
    raise typer.Exit(exit_code)


async def _play(config: Config, directory: Path, course: LiveRun, view: View) -> int:
    from openspade.assembly import open_run
    from openspade.run_folder import write_config

    async with open_run(config, directory) as run:
        # A run that goes on to more cycles says so in its folder, for the next resume.
        write_config(config, directory)
        course.read(run.memory)

        def finish_cycle() -> None:
            run.stop_after_cycle()
            view.notice("stopping after this cycle; once more stops now and drops it")

        with stop_on_signals(finish_cycle, view.stop) as stop:
            view.start()
            try:
                async for report in run.cycles():
                    course.add(report)
                    course.view.scores = held_out(run.memory.evaluations(), config.evaluate.suite)
                    view.cycle(report)
            finally:
                view.stop()
    unfinished = len(course.view.cycles) < config.run.cycles
    return stop.exit_code if unfinished else 0


def _farewell(course: LiveRun, seconds: float) -> None:
    view = course.view
    show(f"{len(view.cycles)} of {view.cycles_wanted} cycles are stored; this took {duration(seconds)}.")
    if len(view.scores) > 1:
        first, last = (written(metric(SCORE), end) for end in view.edges(SCORE))
        show(f"{metric(SCORE).label}: {first} before, {last} now.")
    if len(view.cycles) < view.cycles_wanted:
        suggest("Go on", f"resume {view.name}")
    suggest("See it in a browser", f"dashboard {view.name}")
    suggest("One page to keep", f"report {view.name}")
    if course.latest:
        suggest("Play one yourself", f"play {course.latest.id[:8]} --run {view.name}")


def suggest(what: str, words: str) -> None:
    """A command to type next, on one line so that it can be copied."""
    screen.print(f"  {what + ':':<22}{own_command()} {words}", soft_wrap=True)
