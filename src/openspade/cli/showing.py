"""`report`, `evaluate`, `config show`, `doctor`: look at a run, a policy, a recipe, this machine."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openspade.cli.sources import open_memory
from openspade.cli.terminal import screen, show, show_json
from openspade.config import Config
from openspade.errors import SandboxError

if TYPE_CHECKING:
    from openspade.evaluation.evaluate import Score
    from openspade.sandbox.doctor import MachineReport

OPTIONAL_PACKAGES = ("torch", "transformers", "tokenizers", "safetensors", "peft", "matplotlib")

Overrides = Annotated[
    list[str] | None, typer.Argument(metavar="SECTION.KEY=VALUE", help="Settings that replace the recipe's.")
]
config_app = typer.Typer(help="See every setting.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.command()(report)
    app.command()(evaluate)
    app.command()(doctor)
    config_app.command("show")(config_show)
    app.add_typer(config_app, name="config")


def report(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The run's folder, e.g. runs/nano.")],
    output: Annotated[Path | None, typer.Option(help="Where to write; RUN/report when left out.")] = None,
) -> None:
    """Write a run's report: Markdown, PNG curves, and the twelve most instructive environments.

    It only reads, so a running training is not disturbed.

    Example: `openspade report runs/nano`
    """
    from openspade.evaluation.report import write_report

    with open_memory(run) as memory:
        page = write_report(memory, output or run / "report")
    show(f"Written: {page}, with {len(list(page.parent.glob('*.png')))} figures beside it")


def evaluate(
    subject: Annotated[
        Path, typer.Argument(metavar="RUN|RECIPE", help="A run: its latest weights. A recipe: its untrained policy.")
    ],
    overrides: Overrides = None,
    hinted: Annotated[bool, typer.Option("--hinted", help="Play with the hints shown.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Score a policy on the held-out suite that its configuration names.

    Example: `openspade evaluate runs/nano evaluate.plays=4`
    """
    from openspade.recipe import load
    from openspade.run_folder import CONFIG_FILE

    recipe = subject / CONFIG_FILE if subject.is_dir() else subject
    run = subject if subject.is_dir() else None
    score = asyncio.run(_score(load(recipe, overrides or []), run, hinted=hinted))
    if as_json:
        show_json({**score.metrics(), "episodes": score.episodes, "void": score.void})
        return
    show(
        f"{score.mean:.3f} [{score.low:.3f}, {score.high:.3f}]  "
        f"mean return of {score.episodes} episodes, {score.void} void",
        style="bold",
    )
    for family, value in sorted(score.families.items()):
        show(f"  {value:.3f}  {family}")


async def _score(config: Config, run: Path | None, *, hinted: bool) -> Score:
    from openspade.assembly import build_engine, build_playtester
    from openspade.evaluation.evaluate import examine, load_suite
    from openspade.sandbox.pool import SandboxPool

    tasks = load_suite(config.evaluate.suite)
    engine = build_engine(config)
    if run:
        with open_memory(run) as memory:
            checkpoint = memory.checkpoint()
        if checkpoint:
            await engine.load(run / "checkpoints" / checkpoint)
    async with SandboxPool(config.sandbox, numpy=config.gates.numpy) as pool:
        return await examine(build_playtester(config, engine, pool), tasks, config.evaluate.plays, hinted=hinted)


def config_show(
    recipe: Annotated[
        Path | None, typer.Argument(metavar="[RECIPE]", help="A recipe; the defaults when left out.")
    ] = None,
    overrides: Overrides = None,
) -> None:
    """Print the whole configuration as TOML, each setting under its help text.

    Example: `openspade config show recipes/nano.toml run.seed=1`
    """
    from openspade import recipe as recipes

    if recipe and "=" in str(recipe) and not recipe.exists():
        recipe, overrides = None, [str(recipe), *(overrides or [])]
    screen.print(recipes.show(recipes.load(recipe, overrides or [])), soft_wrap=True, end="")


def doctor(as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False) -> None:
    """Say what isolation this machine gives generated code, what is missing, and how to get it.

    Every wall is tried by a probe that attacks it. Exit code 0 when environments may run here, 3 when not.
    """
    from openspade.sandbox.doctor import examine_machine

    report = asyncio.run(examine_machine())
    if as_json:
        show_json({**asdict(report), "packages": package_versions()})
    else:
        _show_machine(report)
    raise typer.Exit(SandboxError.exit_code if report.exit_code else 0)


def package_versions() -> dict[str, str | None]:
    """What of the optional parts is installed; None for what is not."""
    found: dict[str, str | None] = {}
    for name in OPTIONAL_PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    return found


def _show_machine(report: MachineReport) -> None:
    show(f"Isolation: grade {report.grade}, {report.meaning}", style="bold red" if report.exit_code else "bold green")
    for wall in report.walls:
        mark, style = ("✓", "") if wall.holds else ("✗", "yellow")
        show(f"  {mark} {wall.name:<12} stops {wall.stops}", style=style)
        if not wall.holds:
            show(f"      {wall.reason}; {wall.advice}", style=style)
    if report.steps_per_s:
        show(f"  open to first step {report.open_ms:.1f} ms, {report.steps_per_s:,.0f} steps/s in one child")
    show("Machine: " + ", ".join(f"{name} {value}" for name, value in report.facts.items()))
    packages = package_versions()
    missing = [name for name, number in packages.items() if number is None]
    show("Training: " + ", ".join(f"{name} {number}" for name, number in packages.items() if number))
    if missing:
        show(f"  missing {', '.join(missing)}: pip install 'openspade[train]'", style="yellow")
