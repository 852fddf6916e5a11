"""`import`: other people's environments as a pool."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from openspade.cli.terminal import complaints, plain, show, show_json


def register(app: typer.Typer) -> None:
    app.command("import")(import_)


def import_(
    source: Annotated[
        str, typer.Argument(metavar="SOURCE", help="A folder or file of SPADE's pools, rlve or reasoning_gym.")
    ],
    *,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="POOL", help="A new folder of programs.")],
    name: Annotated[list[str] | None, typer.Option(help="Only this environment; may be given again.")] = None,
    levels: Annotated[int, typer.Option(min=1, help="Levels of each family, where a source has them.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Bring other people's environments in as a pool: for check, play, attack, pool.source and evaluate.

    Every program is loaded and begun once in the sandbox. What cannot come in is listed with the reason, on standard
    error and in the pool's imported.jsonl.

    Example: `openspade import SPADE-Environment-Pool-GPT5.5-Games -o spade-games`
    """
    from openspade.interop.importing import import_pool

    with complaints.status(f"Trying {plain(source)}"):
        done = import_pool(source, output, name or (), levels=levels)
    for one in done.refused:
        complaints.print(f"not imported {plain(one.name)}: {plain(one.reason)}")
    unsolved = sum(bool(one.note) for one in done.arrived)
    if as_json:
        refused = [{"name": one.name, "reason": one.reason} for one in done.refused]
        told = {"output": str(output), "designs": len(done.arrived), "without_solution": unsolved, "refused": refused}
        show_json(told)
    else:
        known = f", {unsolved} without a known solution" if unsolved else ""
        show(f"{len(done.arrived)} designs written to {output}{known}; {len(done.refused)} not imported")
