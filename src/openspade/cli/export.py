"""`export`: environments as a package of another framework."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from openspade.cli.terminal import AsJson, complaints, one_line, plain, show, show_json
from openspade.errors import ConfigError


def register(app: typer.Typer) -> None:
    app.command()(export)


def export(  # noqa: PLR0913 - each is an option
    source: Annotated[
        str, typer.Argument(metavar="RUN|FILE|POOL", help="A run, a program, a JSONL file, a folder, or pool:starter.")
    ],
    *,
    to: Annotated[str, typer.Option("--to", metavar="TARGET", help="The framework; docs/interop.md has them all.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="A new folder.")],
    top: Annotated[int | None, typer.Option(min=1, help="Only this many, the foremost by --by.")] = None,
    by: Annotated[str, typer.Option(metavar="ORDER", help="regret, value or newest.")] = "newest",
    skill: Annotated[str | None, typer.Option(help="Only designs of this skill.")] = None,
    min_regret: Annotated[float | None, typer.Option(help="Only designs of at least this regret.")] = None,
    solve_rate: Annotated[
        str | None, typer.Option(metavar="LOW:HIGH", help="Only designs whose unaided solve rate lies between.")
    ] = None,
    seeds: Annotated[
        str, typer.Option(metavar="N|FIRST:END", help="Instances of each design: the first N seeds, or FIRST to END-1.")
    ] = "8",
    leave_out: Annotated[
        bool, typer.Option("--leave-out", help="Leave out designs whose own solution does not win, and name them.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write environments as a complete package of another framework: programs, contract, provenance, README, licence.

    Every design's own solution must win on every seed, in the sandbox, before anything is written.

    Example: `openspade export runs/nano --to verifiers --top 50 --by regret -o nano-envs`
    """
    from openspade.interop.exporting import export as written
    from openspade.interop.selection import ORDERS, Selection

    if by not in ORDERS:
        raise ConfigError(f"--by {by!r} is no order; there are {', '.join(ORDERS)}")
    selection = Selection(
        top=top,
        by=by,
        skill=skill,
        min_regret=min_regret,
        solve_rates=_rates(solve_rate) if solve_rate is not None else None,
    )
    with complaints.status(f"Playing every solution for {plain(to)}"):
        done = written(source, to, output, selection, seeds=_seeds(seeds), leave_out=leave_out)
    for one in done.left_out:
        design = one.candidate.exported.design
        complaints.print(f"left out {design.id} ({one_line(design.title, 50)}): {plain(one.reason)}")
    instances = sum(len(proven.instances) for proven in done.proven)
    if as_json:
        left_out = [{"id": one.candidate.exported.design.id, "reason": one.reason} for one in done.left_out]
        show_json({"output": str(output), "designs": len(done.proven), "instances": instances, "left_out": left_out})
    else:
        show(f"{len(done.proven)} designs, {instances} instances written to {output}")
        show(f"It needs {done.needs}; its README.md says how to run it.")


def _rates(text: str) -> tuple[float, float]:
    low, found, high = text.partition(":")
    try:
        rates = float(low), float(high)
    except ValueError:
        rates = (1.0, 0.0)
    if not found or not 0.0 <= rates[0] <= rates[1] <= 1.0:
        raise ConfigError(f"--solve-rate is {text!r}; give two shares from 0 to 1, such as .3:.7")
    return rates


def _seeds(text: str) -> range:
    first, found, end = text.partition(":")
    try:
        seeds = range(int(first), int(end)) if found else range(int(first))
    except ValueError:
        seeds = range(0)
    if not seeds or seeds[0] < 0 or seeds[-1] >= 2**31:
        raise ConfigError(f"--seeds is {text!r}; give how many, such as 8, or a range from 0 on, such as 100:108")
    return seeds
