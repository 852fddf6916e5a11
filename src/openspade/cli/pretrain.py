"""`pretrain`: the built-in policy, or a larger one, from scratch."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from openspade.cli.stages import stages
from openspade.cli.terminal import AsJson, show, show_json
from openspade.tokens import JSON


def register(app: typer.Typer) -> None:
    app.command()(pretrain)


def pretrain(
    recipe: Annotated[Path, typer.Argument(metavar="RECIPE", help="recipes/nano_base.toml made the one that ships.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where to write the policy.")] = Path(
        "nano_policy"
    ),
    as_json: AsJson = False,
) -> None:
    """Make the built-in nano policy, or a larger one: it reads lessons in which programs are written and solved.

    The folder is a policy like any other: `openspade train nano policy.model=nano_policy`.

    Example: `openspade pretrain nano_base -o nano_policy`
    """
    from openspade.nano.pretrain import pretrain as make_policy

    with stages() as report_stage:
        report = make_policy(recipe, output, report_stage)
    if as_json:
        facts: dict[str, JSON] = {"parameters": report.parameters, "tokens": report.tokens, "loss": report.loss}
        show_json({"folder": str(report.folder), "sha256": report.sha256, **facts, "scores": dict(report.scores)})
        return
    show(f"{report.folder}: {report.parameters:,} parameters, {report.tokens:,} tokens, loss {report.loss:.3f}")
    show(f"sha256 of its weights {report.sha256}")
    for name, score in report.scores.items():
        show(f"  {score:.3f}  {name}")
