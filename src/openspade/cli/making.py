"""`corpus`, `pretrain`, `generate`: documents for briefs, the built-in policy, and designs without training."""

from __future__ import annotations

import typer

corpus_app = typer.Typer(help="Documents that keep the briefs' topics broad.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.add_typer(corpus_app, name="corpus")
