"""Makes a corpus: reads inputs, cuts them in pieces, drops what is no use or there already, and says what it did."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b, sha256
from pathlib import Path

import msgspec
import numpy as np

from openspade.curriculum.bounded_dict import Latest
from openspade.curriculum.chunking import chunks
from openspade.curriculum.corpus import corpus_path
from openspade.curriculum.foreign_text import sound
from openspade.curriculum.jsonl import JsonlFile, source_group
from openspade.curriculum.lengths import count_words
from openspade.curriculum.near_copies import NearCopies
from openspade.curriculum.reading import Intake, read_input, size_of_inputs
from openspade.errors import CorpusError
from openspade.types import Document, Kind

_COMMON_ENGLISH = frozenset(
    "the of and to in a is that for it as with on be by are this or an not from which can".split()
)
_WORD = re.compile(r"[^\W\d_]+")
REMEMBERED_TEXTS = 500_000
"""Pieces, at least, among which an exact repeat is noticed: with the next figure, what keeps memory bounded."""
REMEMBERED_BANDS = 240_000
"""Twelve a piece: a near-duplicate is noticed among the latest 20,000 to 40,000 pieces kept."""


@dataclass(frozen=True, kw_only=True, slots=True)
class BuildOptions:
    """How to cut and what to keep. Lengths are in words unless `build_corpus` is given another measure."""

    chunk_tokens: int = 600
    min_words: int = 30
    near_duplicate: float = 0.8
    english: bool = False
    licence: str = ""
    kind: Kind | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class CorpusReport:
    """What a corpus holds and what was left out of it. `lengths` are words: least, quartiles, most."""

    path: Path
    sha256: str
    documents: int
    words: int
    lengths: tuple[int, int, int, int, int]
    by_source: Counter[str] = field(default_factory=Counter)
    by_licence: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    samples: tuple[Document, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class BuildProgress:
    """How far a build is. Only files and folders have a size; packages and data sets do not say theirs."""

    pieces: int
    read_bytes: float
    size_bytes: int


def build_corpus(
    inputs: Sequence[str],
    output: Path,
    options: BuildOptions | None = None,
    *,
    count: Callable[[str], int] = count_words,
    progress: Callable[[BuildProgress], None] | None = None,
) -> CorpusReport:
    """Write `output` from files, folders and packages (see `read_input`), streaming. Raises CorpusError.

    The file is written aside and renamed. `progress` is called after each piece.
    """
    if not output.name or output.is_dir():
        raise CorpusError(
            f"{output} is a folder: --output names the JSONL file to write, as in {output / 'corpus.jsonl'}"
        )
    options = options or BuildOptions()
    sieve, reading, size = _Sieve(options), Intake(licence=options.licence), size_of_inputs(inputs)
    aside = output.with_name(f"{output.name}.partial")
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        with aside.open("wb") as file:
            for number, document in enumerate(_pieces(inputs, reading, options, count), 1):
                if sieve.keeps(document):
                    file.write(msgspec.json.encode(_row(document, options)) + b"\n")
                if progress is not None:
                    progress(BuildProgress(pieces=number, read_bytes=reading.read_bytes, size_bytes=size))
        dropped = reading.dropped + sieve.dropped
        if not sieve.kept:
            raise CorpusError(f"nothing of {', '.join(inputs)} was left: {_dropped_line(dropped)}; see --min-words")
        aside.replace(output)
    except OSError as error:
        raise CorpusError(f"{output} cannot be written: {error.strerror}") from error
    finally:
        _remove(aside)
    return survey(str(output), dropped=dropped)


def _remove(aside: Path) -> None:
    try:
        aside.unlink(missing_ok=True)
    except OSError:
        return  # Its folder could not be made: there is nothing.


def _dropped_line(dropped: Counter[str]) -> str:
    return "dropped: " + (", ".join(f"{reason} {number}" for reason, number in dropped.most_common()) or "nothing")


def survey(path: str, *, samples: int = 3, dropped: Counter[str] | None = None) -> CorpusReport:
    """What a corpus holds; samples lie evenly over it."""
    file = JsonlFile(corpus_path(path))
    lengths, sources, licences = np.zeros(len(file.index), dtype=np.uint32), Counter[str](), Counter[str]()
    for row, document in enumerate(file.documents()):
        lengths[row] = count_words(document.text)
        sources[source_group(document.source)] += 1
        licences[document.licence or "unknown"] += 1
    lengths.sort()
    last = len(lengths) - 1
    wanted = sorted({last * place // max(samples - 1, 1) for place in range(samples)})
    least, low, middle, high, most = (int(lengths[last * quarter // 4]) for quarter in range(5))
    return CorpusReport(
        path=file.path,
        sha256=_sha256(file.path),
        documents=len(lengths),
        words=int(lengths.sum(dtype=np.int64)),
        lengths=(least, low, middle, high, most),
        by_source=sources,
        by_licence=licences,
        dropped=dropped or Counter(),
        samples=tuple(file.document(row) for row in wanted),
    )


def describe(report: CorpusReport) -> str:
    """The report as plain text."""
    least, low, middle, high, most = report.lengths
    lines = [
        f"{report.path}: {report.documents} documents, {report.words} words",
        f"sha256 {report.sha256}",
        f"words a document: {least} least, {low} / {middle} / {high} quartiles, {most} most",
        "sources: " + ", ".join(f"{name} {number}" for name, number in report.by_source.most_common(20)),
        "licences: " + ", ".join(f"{name} {number}" for name, number in report.by_licence.most_common(20)),
    ]
    if report.dropped:
        lines.append(_dropped_line(report.dropped))
    for document in report.samples:
        start = " ".join(document.text.split())[:160]
        lines.append(f"- {document.id} ({document.source} {document.version} {document.span}): {start}")
    return "\n".join(lines)


class _Sieve:
    """Decides piece by piece. It remembers marks of the latest pieces that it kept, never their text."""

    def __init__(self, options: BuildOptions) -> None:
        self.kept = 0
        self.dropped: Counter[str] = Counter()
        self._options = options
        self._texts = Latest[int, None](REMEMBERED_TEXTS)
        self._near = NearCopies(similarity=options.near_duplicate, remembered_bands=REMEMBERED_BANDS)

    def keeps(self, document: Document) -> bool:
        reason = self._objection(document)
        if reason:
            self.dropped[reason] += 1
            return False
        self.kept += 1
        return True

    def _objection(self, document: Document) -> str:
        words = _WORD.findall(document.text.lower())
        spoken = len(words) if document.text.isascii() else count_words(" ".join(words))
        if spoken < self._options.min_words:
            return "short"
        if self._options.english and sum(word in _COMMON_ENGLISH for word in words) < 0.12 * len(words):
            return "not English"
        spaced = " ".join(document.text.lower().split())
        text = int.from_bytes(blake2b(spaced.encode(errors="surrogatepass"), digest_size=8).digest(), "big")
        if text in self._texts:
            return "duplicate"
        self._texts.put(text, None)
        return "near-duplicate" if self._near.is_one(document.text) else ""


def _pieces(
    inputs: Sequence[str], reading: Intake, options: BuildOptions, count: Callable[[str], int]
) -> Iterator[Document]:
    for name in inputs:
        for document in read_input(name, reading):
            yield from chunks(document, options.chunk_tokens, count)


def _row(document: Document, options: BuildOptions) -> dict[str, object]:
    row: dict[str, object] = {
        "id": document.id,
        "text": sound(document.text),
        "source": document.source,
        "version": document.version,
        "span": document.span,
        "licence": document.licence,
    }
    return {**row, "kind": options.kind} if options.kind else row


def _sha256(path: Path) -> str:
    digest = sha256()
    with path.open("rb") as file:
        while block := file.read(2**20):
            digest.update(block)
    return digest.hexdigest()
