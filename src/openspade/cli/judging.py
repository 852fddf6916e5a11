"""`check` and `attack`: what the gates say of environments, one by one or of a whole pool."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openspade.cli.sources import program_files, read_program
from openspade.cli.terminal import one_line, screen, show, show_json
from openspade.roles.source import read_design
from openspade.settings.worlds import GatesConfig, SandboxConfig
from openspade.tokens import JSON
from openspade.types import Brief, Design, Draft, GateResult, Problem, Skill, Verdict

if TYPE_CHECKING:
    from openspade.verifier.ladder import Verifier

REJECTED = 1
HACKS = ("floor_gap", "no_solution_leakage", "oracle_max")
Paths = Annotated[list[Path], typer.Argument(metavar="FILE|FOLDER...", help="Environments, or folders of them.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object an environment.")]
Numpy = Annotated[bool, typer.Option("--numpy", help="Let environments import numpy.")]


def register(app: typer.Typer) -> None:
    app.command()(check)
    app.command()(attack)


def check(files: Paths, as_json: AsJson = False, numpy: Numpy = False) -> None:
    """Say whether environments may be played, gate by gate, and why not.

    Exit code 0 when all are accepted, 1 when one is rejected, 2 or 3 when one could not be checked.

    Example: `openspade check examples/environments/small_change.py`
    """
    rejected = asyncio.run(_check(program_files(files), GatesConfig(numpy=numpy), as_json=as_json))
    raise typer.Exit(REJECTED if rejected else 0)


def attack(
    files: Paths,
    seeds: Annotated[int, typer.Option(min=1, help="Instances attacked in each environment.")] = 32,
    as_json: AsJson = False,
    numpy: Numpy = False,
) -> None:
    """Play a pool with cheap tricks on many instances and say how many environments fall for one.

    Tricks: saying nothing, echoing, constants, numbers just seen, another instance's solution, and their kind.
    Exit code 0 when none falls, 1 when one does.

    Example: `openspade attack examples/environments --seeds 64`
    """
    fallen = asyncio.run(_attack(program_files(files), GatesConfig(seeds=seeds, numpy=numpy), as_json=as_json))
    raise typer.Exit(REJECTED if fallen else 0)


@asynccontextmanager
async def _verifier(gates: GatesConfig) -> AsyncIterator[Verifier]:
    from openspade.sandbox.pool import SandboxPool
    from openspade.verifier.ladder import Verifier
    from openspade.verifier.novelty import Nothing

    async with SandboxPool(SandboxConfig(workers=1), numpy=gates.numpy) as pool:
        yield Verifier(pool, Nothing(), gates)


async def _check(paths: Sequence[Path], gates: GatesConfig, *, as_json: bool) -> int:
    rejected = 0
    async with _verifier(gates) as verifier:
        for path in paths:
            started = time.monotonic()
            verdict = (await verifier.verify([as_draft(read_program(path))]))[0]
            seconds = time.monotonic() - started
            rejected += not verdict.accepted
            if as_json:
                show_json(verdict_record(path, verdict, seconds))
            else:
                _show_ladder(path, verdict, seconds)
    if len(paths) > 1 and not as_json:
        show(f"{len(paths) - rejected} of {len(paths)} accepted")
    return rejected


async def _attack(paths: Sequence[Path], gates: GatesConfig, *, as_json: bool) -> int:
    tricks: Counter[str] = Counter()
    not_attacked = 0
    async with _verifier(gates) as verifier:
        for path in paths:
            started = time.monotonic()
            verdict = (await verifier.verify([as_draft(read_program(path))]))[0]
            gate = verdict.problems[0].gate if verdict.problems else ""
            tricks[gate] += gate in HACKS
            not_attacked += bool(gate) and gate not in HACKS
            if as_json:
                show_json(verdict_record(path, verdict, time.monotonic() - started))
            elif verdict.problems:
                show(f"{path}: {gate}: {one_line(verdict.problems[0].message, 200)}")
    fallen, attacked = tricks.total(), len(paths) - not_attacked
    if not as_json:
        rate = f"{fallen / attacked:.1%}" if attacked else "-"
        show(f"{fallen} of {attacked} environments fell for a trick on {gates.seeds} instances each: hack rate {rate}")
        if not_attacked:
            show(f"{not_attacked} more were rejected by another gate first; `openspade check` says why")
    return fallen


def as_draft(source: str) -> Draft:
    """A program from a file as the draft that the gates judge."""
    found = read_design(source)
    design = found if isinstance(found, Design) else None
    skill = (
        Skill(name=design.skill, kind=design.kind, description="")
        if design
        else Skill(name="", kind="game", description="")
    )
    return Draft(
        id="file",
        brief=Brief(id="file", skill=skill, document=None, seed=0),
        text=source,
        design=design,
        problem=found if isinstance(found, Problem) else None,
    )


def verdict_record(path: Path, verdict: Verdict, seconds: float) -> dict[str, JSON]:
    """A verdict as one JSON object."""
    design = verdict.draft.design
    return {
        "file": str(path),
        "design": design.id if design else None,
        "title": design.title if design else None,
        "accepted": verdict.accepted,
        "problems": [{"gate": p.gate, "message": p.message, "evidence": p.evidence} for p in verdict.problems],
        "gates": [{"gate": g.gate, "passed": g.passed, "cpu_ms": g.cpu_ms, "note": g.note} for g in verdict.gates],
        "seconds": round(seconds, 4),
    }


def _show_ladder(path: Path, verdict: Verdict, seconds: float) -> None:
    design = verdict.draft.design
    show(str(path), style="bold")
    if design:
        show(f"  {one_line(design.title, screen.width - 4)}")
    for result in verdict.gates:
        if result.passed:
            show(_rung(result))
    for problem in verdict.problems:
        show(f"  ✗ {problem.gate}: {problem.message}", style="red")
        if problem.evidence:
            show(f"    seen: {one_line(problem.evidence, 400)}")
    word, style = ("accepted", "bold green") if verdict.accepted else ("rejected", "bold red")
    show(f"{word} in {seconds:.2f} s", style=style)


def _rung(result: GateResult) -> str:
    rung = f"  ✓ {result.gate:<20} {result.cpu_ms:6.1f} ms"
    return f"{rung}  {one_line(result.note, screen.width - len(rung) - 3)}" if result.note else rung
