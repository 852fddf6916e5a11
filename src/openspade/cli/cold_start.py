"""`cold-start`: a small model is shown environments and how they are won, until it can play both roles."""

from __future__ import annotations

import asyncio
import signal
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openspade.cli.stages import stages
from openspade.cli.stopping import SIGNALS
from openspade.cli.terminal import AsJson, complaints, show, show_json
from openspade.cli.train import suggest
from openspade.config import Config
from openspade.runview.formats import duration
from openspade.tokens import JSON

if TYPE_CHECKING:
    from openspade.cold_start.cold_start_plan import ColdStartPlan
    from openspade.cold_start.draft_quality import Measured
    from openspade.cold_start.fit import ColdStartReport

MANY_EPOCHS = 1000.0
"""With a time limit alone, the lessons are repeated until it is over."""


def register(app: typer.Typer) -> None:
    app.command("cold-start")(cold_start)
    app.command("warmup", hidden=True)(_warmup)


def cold_start(  # noqa: PLR0913 - one option each
    model: Annotated[str, typer.Argument(metavar="MODEL", help="What policy.model takes: a folder or a model's name.")],
    overrides: Annotated[
        list[str] | None,
        typer.Argument(metavar="SECTION.KEY=VALUE", help="Settings, e.g. policy.prompts=compact run.seed=1."),
    ] = None,
    *,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where the started policy goes.")],
    pools: Annotated[
        list[str] | None,
        typer.Option(
            "--pool",
            help="pool:starter, nano (new programs without end), a folder of programs, a JSONL file of designs, or a "
            "run with its accepted ones. Several may be given; one given twice has twice the lessons.",
        ),
    ] = None,
    recipe: Annotated[
        Path | None, typer.Option(help="The recipe it will be trained with: prompts, context, corpus, gates.")
    ] = None,
    lessons: Annotated[int, typer.Option(min=2, help="Conversations to make, both roles together.")] = 600,
    designs: Annotated[float, typer.Option(min=0, max=1, help="Share of them in which a program is written.")] = 0.7,
    held_out: Annotated[float, typer.Option(min=0, max=0.9, help="Share of a pool that only measures.")] = 0.1,
    epochs: Annotated[float | None, typer.Option(min=0.01, help="Passes over the lessons; 3 unless --minutes.")] = None,
    minutes: Annotated[float, typer.Option(min=0, help="Stop learning after so long; 0 is no limit.")] = 0.0,
    lora_rank: Annotated[
        int | None, typer.Option(min=0, help="Learn an adapter of this rank, merged at the end.")
    ] = None,
    learning_rate: Annotated[float, typer.Option(min=0, help="AdamW's step size at its highest.")] = 4e-4,
    tokens_per_step: Annotated[int, typer.Option(min=1, help="Padded tokens of one optimiser step.")] = 2048,
    save_minutes: Annotated[float, typer.Option(min=0, help="Time between checkpoints.")] = 5.0,
    measure: Annotated[int, typer.Option(min=0, help="Judge so many drafts before and after; 0 is none.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Show a small model how environments are written and won, so that it can play both roles.

    Lessons are programs for briefs, and plays of the programs' own solutions with and without the hint. Programs are
    varied in names, numbers and words; every version passed all gates. Ctrl-C saves; the same command goes on.

    Example: `openspade cold-start SmolLM2-135M-Instruct -o started --recipe smollm2_cold_start --minutes 30`
    """
    from openspade.cold_start.cold_start_plan import ColdStartPlan
    from openspade.recipe import load

    rank = [] if lora_rank is None else [f"policy.lora_rank={lora_rank}"]
    config = load(recipe, [f"policy.model={model}", *rank, *(overrides or [])])
    plan = ColdStartPlan(
        pools=tuple(pools or ("pool:starter",)),
        lessons=lessons,
        designs=designs,
        held_out=held_out,
        epochs=epochs or (MANY_EPOCHS if minutes else 3.0),
        minutes=minutes,
        learning_rate=learning_rate,
        tokens_per_step=tokens_per_step,
    )
    stop = _StopFlag()
    report = _train(config, plan, output, stop, save_minutes)
    measured = _measure(config, output, measure) if measure and report.finished else {}
    if as_json:
        show_json(_record(report, measured))
    else:
        _show(report, measured)
        if report.finished:
            suggest("Train it", f"train {recipe or 'RECIPE'} policy.model={output}")
    raise typer.Exit(stop.exit_code)


@wraps(cold_start)
def _warmup(*arguments: object, **options: object) -> None:
    complaints.print(
        "openspade: warmup is now called cold-start; the old name goes with the next release", soft_wrap=True
    )
    cold_start(*arguments, **options)  # pyright: ignore[reportArgumentType]


class _StopFlag:
    """The first Ctrl-C or SIGTERM ends learning after the running step; the next one ends the process as usual."""

    exit_code = 0

    def __call__(self) -> bool:
        return self.exit_code != 0

    def receive(self, number: int, _frame: object) -> None:
        self.exit_code = 128 + number
        for one in SIGNALS:
            signal.signal(one, signal.SIG_DFL)


def _train(config: Config, plan: ColdStartPlan, folder: Path, stop: _StopFlag, save_minutes: float) -> ColdStartReport:
    from openspade.cold_start.fit import ColdStart

    with stages() as report:
        begun = ColdStart(config, plan, folder, report)
        for number in SIGNALS:
            signal.signal(number, stop.receive)
        return begun.run(stopped=stop, save_minutes=save_minutes)


def _measure(config: Config, folder: Path, drafts: int) -> dict[str, Measured]:
    from openspade.cold_start.draft_quality import measure
    from openspade.cold_start.fit import taught_programs

    found: dict[str, Measured] = {}
    taught = taught_programs(folder)
    for name, model in (("before", config.policy.model), ("after", str(folder))):
        policy = config.policy.model_copy(update={"model": model, "lora_rank": 0})
        with complaints.status(f"{drafts} drafts {name}"):
            found[name] = asyncio.run(measure(config.model_copy(update={"policy": policy}), taught, drafts))
    return found


def _show(report: ColdStartReport, measured: dict[str, Measured]) -> None:
    show(f"{report.folder}: {sum(report.lessons.values())} lessons, {report.steps} steps of {report.tokens:,} tokens")
    for name, count in sorted(report.lessons.items()):
        show(f"  {count:5}  {name}")
    show(f"Learning took {duration(report.seconds)}.")
    if not report.finished:
        show("Stopped and saved; the same command goes on.")
        return
    for role, after in report.after.items():
        show(f"Held-out loss of the {role}: {report.before[role]:.3f} before, {after:.3f} now (nats a token)")
    for name, found in measured.items():
        show(f"Drafts that pass all gates, {name}: {found.accepted} of {found.drafts}{_novelty(found)}")


def _novelty(found: Measured) -> str:
    if not found.accepted:
        return ""
    return f"; {found.copies} copies of taught programs, {found.alike} much like one"


def _record(report: ColdStartReport, measured: dict[str, Measured]) -> dict[str, JSON]:
    return {
        "folder": str(report.folder),
        "finished": report.finished,
        "lessons": dict(report.lessons),
        "steps": report.steps,
        "tokens": report.tokens,
        "loss": report.loss,
        "seconds": round(report.seconds, 1),
        "held_out_before": dict(report.before),
        "held_out_after": dict(report.after),
        "drafts": {name: _measured_record(found) for name, found in measured.items()},
    }


def _measured_record(found: Measured) -> dict[str, JSON]:
    return {
        "drafts": found.drafts,
        "accepted": found.accepted,
        "refused_by": dict(found.gates),
        "copies": found.copies,
        "alike": found.alike,
        "likeness": list(found.likeness),
        "seconds": round(found.seconds, 1),
    }
