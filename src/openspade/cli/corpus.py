"""`corpus`: documents that keep the briefs' topics broad."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from openspade.cli.terminal import AsJson, complaints, show, show_json
from openspade.tokens import JSON

if TYPE_CHECKING:
    from openspade.curriculum.build import BuildProgress, CorpusReport

corpus_app = typer.Typer(help="Documents that keep the briefs' topics broad.", no_args_is_help=True)
_REDRAWN_EVERY_S = 0.2


class BriefKind(StrEnum):
    """For which briefs a document is meant."""

    GAME = "game"
    TOOL = "tool"


def register(app: typer.Typer) -> None:
    corpus_app.command("build")(corpus_build)
    corpus_app.command("show")(corpus_show)
    app.add_typer(corpus_app, name="corpus")


def corpus_build(  # noqa: PLR0913 - one option each
    inputs: Annotated[
        list[str],
        typer.Argument(
            metavar="INPUT...",
            help="Files and folders; python:NAME, a package's docstrings; code:NAME, its functions and classes; "
            "hf:NAME, a Hugging Face data set (a folder of one too); pack:math-science or pack:code-api, ready lists.",
        ),
    ],
    *,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The JSONL file to write.")],
    chunk_tokens: Annotated[int, typer.Option(min=20, help="Longest document, in words; longer ones are cut.")] = 600,
    min_words: Annotated[int, typer.Option(min=0, help="Shorter pieces are dropped.")] = 30,
    english: Annotated[bool, typer.Option("--english", help="Drop what does not read as English.")] = False,
    licence: Annotated[str, typer.Option(help="The licence of what does not name its own.")] = "",
    kind: Annotated[BriefKind | None, typer.Option(help="Only for briefs of this kind.")] = None,
    as_json: AsJson = False,
) -> None:
    """Make a corpus from text, Markdown, HTML, Python, JSONL and Parquet files, data sets, and installed packages.

    Every document keeps where it came from: source, version, span, licence. Repeats are dropped. Parquet and hf: need
    `pip install 'openspade[corpus]'`; a pack says which packages it reads.

    Example: `openspade corpus build notes/ python:networkx -o corpus.jsonl`, then `corpus.path=corpus.jsonl`

    Example: `openspade corpus build pack:math-science -o math.jsonl`
    """
    from openspade.curriculum.build import BuildOptions, build_corpus

    options = BuildOptions(
        chunk_tokens=chunk_tokens,
        min_words=min_words,
        english=english,
        licence=licence,
        kind=kind.value if kind else None,
    )
    with _reading_bar() as progress:
        report = build_corpus(inputs, output, options, progress=progress)
    _show_corpus(report, as_json=as_json)


def corpus_show(
    corpus: Annotated[str, typer.Argument(metavar="FILE|package:NAME", help="A corpus.")] = "package:nano",
    samples: Annotated[int, typer.Option(min=0, help="How many documents to show the beginning of.")] = 3,
    as_json: AsJson = False,
) -> None:
    """Say what a corpus holds: how many documents, from where, how long, under which licences.

    Example: `openspade corpus show corpus.jsonl --samples 10`
    """
    from openspade.curriculum.build import survey

    _show_corpus(survey(corpus, samples=samples), as_json=as_json)


@contextmanager
def _reading_bar() -> Iterator[Callable[[BuildProgress], None]]:
    columns = (TextColumn("Reading"), BarColumn(), TextColumn("{task.fields[pieces]:,} pieces"), TimeRemainingColumn())
    with Progress(*columns, console=complaints, transient=True, disable=not complaints.is_terminal) as bar:
        task = bar.add_task("", total=None, pieces=0)
        shown = 0.0

        def report(progress: BuildProgress) -> None:
            nonlocal shown
            if monotonic() - shown > _REDRAWN_EVERY_S:
                shown = monotonic()
                bar.update(
                    task, completed=progress.read_bytes, total=progress.size_bytes or None, pieces=progress.pieces
                )

        yield report


def _show_corpus(report: CorpusReport, *, as_json: bool) -> None:
    from openspade.curriculum.build import describe

    if as_json:
        show_json(_corpus_record(report))
    else:
        show(describe(report))


def _corpus_record(report: CorpusReport) -> dict[str, JSON]:
    return {
        "path": str(report.path),
        "sha256": report.sha256,
        "documents": report.documents,
        "words": report.words,
        "lengths": list(report.lengths),
        "by_source": dict(report.by_source),
        "by_licence": dict(report.by_licence),
        "dropped": dict(report.dropped),
    }
