"""`report`, `config show`, `doctor`: look at a run, a recipe, this machine."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from openspade.cli.sources import open_memory
from openspade.cli.terminal import plain, screen, show, show_json
from openspade.errors import SandboxError

if TYPE_CHECKING:
    from openspade.sandbox.isolation.doctor import MachineReport

OPTIONAL_PACKAGES = ("torch", "transformers", "tokenizers", "safetensors", "peft", "matplotlib")

Overrides = Annotated[
    list[str] | None, typer.Argument(metavar="SECTION.KEY=VALUE", help="Settings that replace the recipe's.")
]
config_app = typer.Typer(help="See every setting.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.command()(report)
    app.command()(doctor)
    config_app.command("show")(config_show)
    app.add_typer(config_app, name="config")


def report(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The run's folder, e.g. runs/nano.")],
    output: Annotated[Path | None, typer.Option(help="Where to write; RUN/report when left out.")] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Write report.md with PNG figures too.")] = False,
    png: Annotated[bool, typer.Option("--png", help="Write every figure as a PNG file too.")] = False,
    pdf: Annotated[bool, typer.Option("--pdf", help="Write every figure as a PDF file too.")] = False,
) -> None:
    """Write a run's report: one HTML page with its curves and the twelve most instructive environments.

    The page needs nothing else, so it can be mailed. It only reads the run: a running training is not disturbed.

    Example: `openspade report runs/nano --pdf`
    """
    from openspade.evaluation.page import write_report
    from openspade.evaluation.report import read_report

    folder = output or run / "report"
    kinds = [kind for kind, wanted in (("png", png), ("pdf", pdf)) if wanted]
    with open_memory(run) as memory:
        page = write_report(read_report(memory), folder, as_markdown=markdown, figures=tuple(kinds))
    screen.print(f"Written: {plain(str(page))}", soft_wrap=True)
    if markdown or kinds:
        screen.print(f"Beside it: {', '.join(sorted(path.name for path in folder.iterdir() if path != page))}")


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


def doctor(
    model: Annotated[
        str, typer.Option(metavar="MODEL", help="Examine this model's chat template instead: nano, a folder, a name.")
    ] = "",
    thinking: Annotated[
        Literal["template", "on", "off"], typer.Option(help="With --model: as policy.thinking of the recipe.")
    ] = "template",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Say what isolation this machine gives generated code, what is missing, and how to get it.

    Every wall is tried by a probe that attacks it. Exit code 0 when environments may run here, 3 when not.
    With --model: what that model's chat template breaks and what it costs. Exit code 4 when it cannot be used.

    Example: `openspade doctor --model Qwen/Qwen3-0.6B --thinking off`
    """
    if model:
        from openspade.cli.doctor import examine_model

        raise typer.Exit(examine_model(model, thinking, as_json=as_json))
    from openspade.sandbox.isolation.doctor import examine_machine

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
