"""`memory`: what runs remember, taken out, put together, thinned out and checked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openspade.cli.check import as_draft
from openspade.cli.terminal import AsJson, complaints, one_line, plain, show, show_json
from openspade.errors import ConfigError
from openspade.memory.database import DATABASE_FILE

if TYPE_CHECKING:
    from openspade.config import Config
    from openspade.memory.write.exchange import Exported
    from openspade.types import Verdict

UNSOUND = 1
BATCH = 16
"""Programs judged at once; the count on the screen moves after each batch."""

memory_app = typer.Typer(
    help="What runs remember: export it, merge it into another run, prune it, verify it.", no_args_is_help=True
)
Run = Annotated[Path, typer.Argument(metavar="RUN", help="The run's folder, e.g. runs/nano.")]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Offer:
    """What a source has to give, and how many of its programs the gates refused."""

    designs: Iterable[Exported]
    refused: int = 0


def register(app: typer.Typer) -> None:
    memory_app.command("export")(export)
    memory_app.command("merge")(merge)
    memory_app.command("prune")(prune)
    memory_app.command("verify")(verify)
    app.add_typer(memory_app, name="memory")


def export(
    run: Run,
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER|FILE.jsonl", help="A new folder of programs, or one file.")
    ],
    skill: Annotated[str | None, typer.Option(help="Only designs that were asked for this skill.")] = None,
    solved: Annotated[
        tuple[float, float] | None,
        typer.Option(metavar="LOW HIGH", help="Only designs whose latest unaided solve rate lies between these."),
    ] = None,
    best: Annotated[int | None, typer.Option(min=1, help="Only this many, of the highest regret.")] = None,
    as_json: AsJson = False,
) -> None:
    """Write a run's accepted designs with their statistics and documents. It only reads: a training may go on.

    A folder holds one program a design and designs.jsonl; `openspade check` and `openspade attack` read it, and so do
    `memory merge` and `pool.source`. FILE.jsonl holds the same in one file.

    Example: `openspade memory export runs/nano -o pool --solved 0.2 0.8 --best 100`
    """
    from openspade.curriculum.design_files import write_designs
    from openspade.memory.read.design_list import Wanted
    from openspade.memory.write.exchange import exported_designs

    wanted = Wanted(
        accepted=True, skill=skill, solve_rates=solved, order="regret" if best else "oldest", limit=best or -1
    )
    with _counting("designs written") as count:
        written = write_designs(exported_designs(run / DATABASE_FILE, wanted), output, count)
    if as_json:
        show_json({"designs": written, "output": str(output)})
    else:
        show(f"{written} designs written to {output}")


def merge(
    run: Run,
    sources: Annotated[
        list[Path], typer.Argument(metavar="SOURCE...", help="Other runs, folders of programs, .py or .jsonl files.")
    ],
    unchecked: Annotated[
        bool, typer.Option("--unchecked", help="Trust files: do not judge them by the run's gates first.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Bring designs of other runs and of files into a run's memory; those it knows already are left out.

    What comes from files is judged by the run's gates first, like any draft. Merged designs count as found before the
    run's first cycle. They serve as exemplars and replays by their statistics; without any they are replayed first.

    Example: `openspade memory merge runs/nano runs/nano-2 pool/`
    """
    from openspade.memory.write.exchange import take_over_designs
    from openspade.run_folder import stored_config

    config = stored_config(run)
    offered = [_offer(source, None if unchecked else config) for source in sources]
    refused = sum(offer.refused for offer in offered)
    with _counting("designs read") as count:
        designs = chain.from_iterable(offer.designs for offer in offered)
        taken = take_over_designs(run / DATABASE_FILE, designs, config.memory, config.reward, progress=count)
    if as_json:
        show_json({"taken": taken, "refused": refused})
    else:
        show(f"{taken} new designs" + (f", {refused} refused by a gate" if refused else "") + f": {run}")
    raise typer.Exit(UNSOUND if refused else 0)


def prune(
    run: Run,
    *,
    keep_cycles: Annotated[int, typer.Option(min=0, help="Keep designs written or played in this many last cycles.")],
    keep_best: Annotated[int, typer.Option(min=0, help="Keep this many of the most valuable of all times.")] = 1000,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say how many would go.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: AsJson = False,
) -> None:
    """Delete designs from a run's database, with their statistics. A run itself never deletes any: only this does.

    Every draft and every episode stays in the files beside the database, word for word, but can no longer be browsed.
    A pruned run goes on otherwise than it would have: other exemplars, other replays.

    Example: `openspade memory prune runs/nano --keep-cycles 50 --keep-best 2000`
    """
    from openspade.memory.write.upkeep import Pruning, prunable_designs, prune_designs

    pruning = Pruning(keep_cycles=keep_cycles, keep_best=keep_best)
    going = prunable_designs(run / DATABASE_FILE, pruning)
    if going and not dry_run:
        if not yes:
            typer.confirm(f"Delete {going} designs from {run / DATABASE_FILE}?", abort=True, err=True)
        with complaints.status(f"Deleting {going} designs"):
            prune_designs(run / DATABASE_FILE, pruning)
    if as_json:
        show_json({"designs": going, "deleted": going > 0 and not dry_run})
    else:
        show(f"{going} designs {'would go' if dry_run else 'deleted'}: {run}")


def verify(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs, e.g. runs/*.")],
    as_json: AsJson = False,
) -> None:
    """Check stored runs: the database's pages and references, every design's checksum, every file to its last line.

    It only reads. Exit code 0 when all are sound, 1 when one is not.

    Example: `openspade memory verify runs/nano`
    """
    from openspade.memory.write.upkeep import verify_run

    unsound = False
    for run in runs:
        with complaints.status(f"{run}") as status:
            problems = verify_run(run / DATABASE_FILE, lambda what, run=run: status.update(f"{run}: {what}"))
        unsound = unsound or bool(problems)
        if as_json:
            show_json({"run": str(run), "sound": not problems, "problems": list(problems)})
        else:
            show(
                f"{run}: {'sound' if not problems else f'{len(problems)} problems'}",
                style="" if not problems else "red",
            )
            for problem in problems:
                show(f"  {problem}")
    raise typer.Exit(UNSOUND if unsound else 0)


@contextmanager
def _counting(what: str) -> Iterator[Callable[[int], None]]:
    with complaints.status(what) as status:
        yield lambda number: status.update(f"{number} {what}")


def _offer(source: Path, judged_by: Config | None) -> _Offer:
    from openspade.curriculum.design_files import read_designs
    from openspade.memory.write.exchange import exported_designs

    if (source / DATABASE_FILE).is_file():
        return _Offer(designs=exported_designs(source / DATABASE_FILE))
    if not source.exists():
        raise ConfigError(f"there is no {source}: name a run, a folder of programs, a .py or a .jsonl file")
    designs = read_designs(source)
    return asyncio.run(_judge(list(designs), judged_by)) if judged_by else _Offer(designs=designs)


async def _judge(designs: list[Exported], config: Config) -> _Offer:
    from openspade.sandbox.host.sandbox_pool import SandboxPool
    from openspade.verifier.gates.novelty import Nothing
    from openspade.verifier.ladder import Verifier

    accepted: list[Exported] = []
    with _counting(f"of {len(designs)} judged") as count:
        async with SandboxPool(config.sandbox, numpy=config.gates.numpy) as pool:
            verifier = Verifier(pool, Nothing(), config.gates)
            for start in range(0, len(designs), BATCH):
                batch = designs[start : start + BATCH]
                verdicts = await verifier.verify([as_draft(exported.design.source) for exported in batch])
                for exported, verdict in zip(batch, verdicts, strict=True):
                    if verdict.accepted:
                        accepted.append(exported)
                    else:
                        _complain(exported, verdict)
                count(start + len(batch))
    return _Offer(designs=accepted, refused=len(designs) - len(accepted))


def _complain(exported: Exported, verdict: Verdict) -> None:
    problem, title = verdict.problems[0], one_line(exported.design.title, 60)
    complaints.print(f"refused {exported.design.id} ({title}): {problem.gate}: {plain(problem.message)}")
