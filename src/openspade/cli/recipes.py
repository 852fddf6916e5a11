"""`recipes` and `init`: the recipes that ship with the package, read, and written out to be edited."""

from __future__ import annotations

import difflib
import os
from pathlib import Path
from typing import Annotated

import typer

from openspade.cli.tables import show_table
from openspade.cli.terminal import plain, screen, show_json
from openspade.cli.train import suggest
from openspade.errors import ConfigError

recipes_app = typer.Typer(help="The recipes that ship with the package.", invoke_without_command=True)


def register(app: typer.Typer) -> None:
    recipes_app.callback()(list_recipes)
    recipes_app.command("show")(show_recipe)
    app.add_typer(recipes_app, name="recipes")
    app.command("init")(init)


def list_recipes(
    context: typer.Context, as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False
) -> None:
    """List the recipes that ship with the package, a line each.

    Example: `openspade recipes`, then `openspade train nano`
    """
    from openspade.shipped import shipped_recipes

    if context.invoked_subcommand:
        return
    found = shipped_recipes()
    if as_json:
        show_json(
            [{"name": r.name, "about": r.about, "command": _command(r.trains), "path": str(r.path)} for r in found]
        )
        return
    show_table(("recipe", "for", "what it is"), [(r.name, _command(r.trains), r.about) for r in found])


def show_recipe(name: Annotated[str, typer.Argument(metavar="NAME", help="A name from `openspade recipes`.")]) -> None:
    """Print a recipe as it stands; `openspade config show NAME` prints every setting that comes of it.

    Example: `openspade recipes show nano`
    """
    from openspade.shipped import find_recipe

    screen.print(plain(find_recipe(Path(name)).read_text(encoding="utf-8")), soft_wrap=True, end="")


def init(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write it, e.g. mine.toml.")],
    recipe: Annotated[
        str, typer.Option("--from", metavar="NAME", help="Which recipe; the one named like the file when left out.")
    ] = "",
) -> None:
    """Write a shipped recipe to a file of your own, to be edited.

    Example: `openspade init mine.toml --from nano`, then `openspade train mine.toml`
    """
    from openspade.shipped import editable_text, shipped_recipes

    known = {one.name: one for one in shipped_recipes()}
    name = recipe or path.stem
    if name not in known:
        close = difflib.get_close_matches(name, known, n=1)
        advice = f"did you mean --from {close[0]}?" if close else f"--from takes {', '.join(known)}"
        raise ConfigError(f"there is no recipe {name!r}; {advice}")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(editable_text(known[name]))
    except FileExistsError:
        raise ConfigError(f"{path} is there already; name another file") from None
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {os.strerror(error.errno or 0)}") from None
    screen.print(f"Written: {plain(str(path))}", soft_wrap=True)
    suggest("Train it", f"{_command(known[name].trains)} {path}")


def _command(trains: bool) -> str:
    return "train" if trains else "pretrain"
