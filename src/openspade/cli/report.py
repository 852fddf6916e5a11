"""`report`: a run as one page to keep."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from openspade.cli.terminal import plain, screen
from openspade.sources import open_memory


def register(app: typer.Typer) -> None:
    app.command()(report)


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
    from openspade.report.contents import read_report
    from openspade.report.page import write_report

    folder = output or run / "report"
    kinds = [kind for kind, wanted in (("png", png), ("pdf", pdf)) if wanted]
    with open_memory(run) as memory:
        page = write_report(read_report(memory), folder, as_markdown=markdown, figures=tuple(kinds))
    screen.print(f"Written: {plain(str(page))}", soft_wrap=True)
    if markdown or kinds:
        screen.print(f"Beside it: {', '.join(sorted(path.name for path in folder.iterdir() if path != page))}")
