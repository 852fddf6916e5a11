"""`config show`: every setting of a recipe, with its help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from openspade.cli.terminal import screen

config_app = typer.Typer(help="See every setting.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    config_app.command("show")(config_show)
    app.add_typer(config_app, name="config")


def config_show(
    recipe: Annotated[
        Path | None, typer.Argument(metavar="[RECIPE]", help="A recipe; the defaults when left out.")
    ] = None,
    overrides: Annotated[
        list[str] | None, typer.Argument(metavar="SECTION.KEY=VALUE", help="Settings that replace the recipe's.")
    ] = None,
) -> None:
    """Print the whole configuration as TOML, each setting under its help text.

    Example: `openspade config show nano run.seed=1`
    """
    from openspade import recipe as recipes

    if recipe and "=" in str(recipe) and not recipe.exists():
        recipe, overrides = None, [str(recipe), *(overrides or [])]
    screen.print(recipes.show(recipes.load(recipe, overrides or [])), soft_wrap=True, end="")
