"""`check` and `attack`: what the gates say of environments, one by one or of a whole pool."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.padding import Padding
from rich.text import Text

from openspade.cli.terminal import complaints, one_line, plain, screen, show, show_json
from openspade.errors import ConfigError
from openspade.roles.source import read_design
from openspade.settings.worlds import GatesConfig, SandboxConfig
from openspade.sources import program_files, read_program, shown_path
from openspade.tokens import JSON
from openspade.types import Brief, Design, Draft, GateResult, Problem, Skill, Verdict

if TYPE_CHECKING:
    from openspade.verifier.ladder import Verifier

REJECTED = 1
HACKS = ("floor_gap", "no_solution_leakage", "oracle_max")
Paths = Annotated[
    list[Path],
    typer.Argument(metavar="FILE|FOLDER...", help="Environments, folders of them, pool:starter or pool:starter/NAME."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object an environment.")]
Numpy = Annotated[bool, typer.Option("--numpy", help="Let environments import numpy.")]


def register(app: typer.Typer) -> None:
    app.command()(check)
    app.command()(attack)


def check(
    files: Paths,
    ladder: Annotated[bool, typer.Option("--ladder", help="Show every gate, also of several environments.")] = False,
    as_json: AsJson = False,
    numpy: Numpy = False,
) -> None:
    """Say whether environments may be played, gate by gate, and why not. docs/gates.md says what each gate refuses.

    Times are CPU, the sandboxed program's included. One environment is shown with all its gates, several with a line
    each and what is wrong. Exit code 0 when all are accepted, 1 when one is rejected, 2 or 3 when one could not be
    checked.

    Example: `openspade check examples/environments/small_change.py`, or all of `openspade check pool:starter`
    """
    paths = program_files(files)
    teller = _tell_json if as_json else _show_ladder if ladder or len(paths) == 1 else _show_line
    rejected = asyncio.run(_check(paths, GatesConfig(numpy=numpy), teller))
    if len(paths) > 1 and not as_json:
        show(f"{len(paths) - rejected} of {len(paths)} accepted")
    raise typer.Exit(REJECTED if rejected else 0)


def attack(
    files: Paths,
    seeds: Annotated[int, typer.Option(min=1, help="Instances attacked in each environment.")] = 32,
    as_json: AsJson = False,
    numpy: Numpy = False,
) -> None:
    """Play a pool with cheap tricks on many instances and say how many environments fall for one.

    Tricks: saying nothing, echoing, constants, numbers just seen, another instance's solution, and their kind;
    docs/gates.md lists them. What another gate refuses first is not attacked, and counted apart.
    Exit code 0 when none falls, 1 when one does, 2 or 3 when one could not be attacked.

    Example: `openspade attack pool:starter --seeds 64`
    """
    fallen = asyncio.run(_attack(program_files(files), GatesConfig(seeds=seeds, numpy=numpy), as_json=as_json))
    raise typer.Exit(REJECTED if fallen else 0)


@dataclass(frozen=True, kw_only=True)
class Judged:
    """A verdict on a file, and how long it took."""

    path: str
    verdict: Verdict
    seconds: float


@asynccontextmanager
async def _verifier(gates: GatesConfig) -> AsyncIterator[Verifier]:
    from openspade.sandbox.host.sandbox_pool import SandboxPool
    from openspade.verifier.gates.novelty import Nothing
    from openspade.verifier.ladder import Verifier

    async with SandboxPool(SandboxConfig(workers=1), numpy=gates.numpy) as pool:
        yield Verifier(pool, Nothing(), gates)


async def _judged(paths: Sequence[Path], gates: GatesConfig) -> AsyncIterator[Judged]:
    """Verdicts one by one; a line on a terminal's standard error says which is waited for."""
    async with _verifier(gates) as verifier:
        for number, path in enumerate(paths, start=1):
            started = time.monotonic()
            with complaints.status(f"{number} of {len(paths)}: {one_line(shown_path(path), 50)}"):
                (verdict,) = await verifier.verify([_draft_in(path)])
            yield Judged(path=shown_path(path), verdict=verdict, seconds=time.monotonic() - started)


async def _check(paths: Sequence[Path], gates: GatesConfig, tell: Callable[[Judged], None]) -> int:
    rejected = 0
    async for judged in _judged(paths, gates):
        rejected += not judged.verdict.accepted
        tell(judged)
    return rejected


async def _attack(paths: Sequence[Path], gates: GatesConfig, *, as_json: bool) -> int:
    tricks: Counter[str] = Counter()
    not_attacked = 0
    async for judged in _judged(paths, gates):
        gate = judged.verdict.problems[0].gate if judged.verdict.problems else ""
        tricks[gate] += gate in HACKS
        not_attacked += bool(gate) and gate not in HACKS
        if as_json:
            _tell_json(judged)
        elif gate:
            _show_line(judged)
    fallen, attacked = tricks.total(), len(paths) - not_attacked
    if not as_json:
        rate = f"{fallen / attacked:.1%}" if attacked else "-"
        show(f"{fallen} of {attacked} environments fell for a trick on {gates.seeds} instances each: hack rate {rate}")
        if not_attacked:
            show(f"{not_attacked} more were rejected by another gate first; `openspade check` says why")
    return fallen


def _draft_in(path: Path) -> Draft:
    """The program of a file; what lies in a folder and cannot be read is refused, so that the others are judged."""
    try:
        return as_draft(read_program(path))
    except ConfigError as error:
        draft = as_draft("")
        return replace(draft, problem=Problem(gate="parses", message=f"The file cannot be judged: {error}."))


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


def verdict_record(judged: Judged) -> dict[str, JSON]:
    """A verdict as one JSON object; a gate's `cpu_ms` includes its `child_ms`, the sandboxed program's."""
    verdict = judged.verdict
    design = verdict.draft.design
    return {
        "file": judged.path,
        "design": design.id if design else None,
        "title": design.title if design else None,
        "accepted": verdict.accepted,
        "problems": [{"gate": p.gate, "message": p.message, "evidence": p.evidence} for p in verdict.problems],
        "gates": [
            {
                "gate": gate.gate,
                "passed": gate.passed,
                "cpu_ms": round(gate.cpu_ms, 3),
                "child_ms": round(gate.child_ms, 3),
                "note": gate.note,
            }
            for gate in verdict.gates
        ],
        "seconds": round(judged.seconds, 4),
    }


def _tell_json(judged: Judged) -> None:
    show_json(verdict_record(judged))


def _show_line(judged: Judged) -> None:
    mark, style = ("✓", "") if judged.verdict.accepted else ("✗", "red")
    show(f"{mark} {judged.path}", style=style)
    _show_problems(judged.verdict)


def _show_ladder(judged: Judged) -> None:
    verdict, design = judged.verdict, judged.verdict.draft.design
    show(judged.path, style="bold")
    if design:
        show(f"  {one_line(design.title, screen.width - 4)}")
    for result in verdict.gates:
        if result.passed:
            show(_rung(result))
    _show_problems(verdict)
    word, style = ("accepted", "bold green") if verdict.accepted else ("rejected", "bold red")
    cpu_ms = sum(result.cpu_ms for result in verdict.gates)
    show(f"{word} in {judged.seconds:.2f} s, {cpu_ms:.0f} ms of CPU", style=style)


def _show_problems(verdict: Verdict) -> None:
    for problem in verdict.problems:
        _show_indented(f"{problem.gate}: {problem.message}", style="red")
        if problem.evidence:
            _show_indented(f"seen: {one_line(problem.evidence, 400)}")


def _show_indented(text: str, *, style: str = "") -> None:
    screen.print(Padding(Text(plain(text), style=style), (0, 0, 0, 2)))


def _rung(result: GateResult) -> str:
    rung = f"  ✓ {result.gate:<20} {result.cpu_ms:6.1f} ms"
    return f"{rung}  {one_line(result.note, screen.width - len(rung) - 3)}" if result.note else rung
