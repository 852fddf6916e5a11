"""Documents for briefs: drawn without replacement in a seeded order, sources taking turns, the cursor saved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import resources
from pathlib import Path

from openspade.chance import stable_hash
from openspade.curriculum.jsonl import JsonlFile
from openspade.curriculum.lengths import count_words, cut_at_paragraph
from openspade.errors import CorpusError
from openspade.tokens import JSON
from openspade.types import Document, Kind

ROUNDS = 4


class Corpus:
    """A file of documents and how far into it a run has come.

    A document with a kind is drawn for briefs of that kind only, one without for any. A source that is used up waits
    until all are; then the next pass begins, in another order.
    """

    def __init__(self, file: JsonlFile, *, run_seed: int, document_tokens: int, count: Callable[[str], int]) -> None:
        self._file = file
        self._run_seed = run_seed
        self._document_tokens = document_tokens
        self._count = count
        self._passes = [0] * len(file.index.groups)
        self._drawn = [0] * len(file.index.groups)

    @staticmethod
    def open(
        path: str, *, run_seed: int, document_tokens: int = 4000, count: Callable[[str], int] | None = None
    ) -> Corpus:
        """A JSONL file, or `package:NAME` for one that ships inside `openspade.NAME`. Raises CorpusError.

        `count` measures a text in the policy's tokens (words when left out).
        """
        file = JsonlFile(corpus_path(path))
        return Corpus(file, run_seed=run_seed, document_tokens=document_tokens, count=count or count_words)

    def __len__(self) -> int:
        return len(self._file.index)

    def draw(self, kind: Kind) -> Document:
        """The next document for a brief of this kind, cut at a paragraph when it is too long."""
        group = self._next_group(kind)
        members = self._file.index.members[group]
        key = f"{self._run_seed}/corpus/{self._file.index.groups[group]}/{self._passes[group]}"
        row = int(members[permuted(self._drawn[group], len(members), key)])
        self._drawn[group] += 1
        if self._drawn[group] == len(members):
            self._passes[group] += 1
            self._drawn[group] = 0
        document = self._file.document(row)
        text = cut_at_paragraph(document.text, self._document_tokens, self._count)
        start = document.span[0]
        return document if text == document.text else replace(document, text=text, span=(start, start + len(text)))

    def coverage(self) -> float:
        """Share of the documents that were drawn at least once."""
        sizes = [len(members) for members in self._file.index.members]
        seen = (size if passes else drawn for size, passes, drawn in zip(sizes, self._passes, self._drawn, strict=True))
        return sum(seen) / len(self)

    def state(self) -> dict[str, JSON]:
        """The cursor, and the size of the file it belongs to."""
        return {"documents": len(self), "passes": [*self._passes], "drawn": [*self._drawn]}

    def restore(self, state: Mapping[str, JSON]) -> None:
        """Go on where `state()` was taken. Raises CorpusError when the corpus is another one."""
        passes, drawn = _numbers(state.get("passes")), _numbers(state.get("drawn"))
        if (state.get("documents"), len(passes), len(drawn)) != (len(self), len(self._passes), len(self._drawn)):
            raise CorpusError(
                f"corpus {self._file.path} has {len(self)} documents from {len(self._passes)} sources, the run was "
                f"using {state.get('documents')} from {len(passes)}: resume with the corpus it was started with"
            )
        self._passes, self._drawn = passes, drawn

    def _next_group(self, kind: Kind) -> int:
        groups = self._file.index.groups
        suited = [group for group, (_, wanted) in enumerate(groups) if wanted in ("", kind)]
        if not suited:
            raise CorpusError(f"corpus {self._file.path} holds no document for briefs of kind {kind}")
        return min(suited, key=lambda group: (self._passes[group], self._drawn[group], group))


def _numbers(stored: JSON) -> list[int]:
    return [number for number in stored if isinstance(number, int)] if isinstance(stored, list) else []


def corpus_path(path: str) -> Path:
    """Where a corpus lies; `package:NAME` names one inside `openspade.NAME`."""
    scheme, colon, name = path.partition(":")
    if not (colon and scheme == "package"):
        return Path(path)
    try:
        return Path(str(resources.files(f"openspade.{name}") / "corpus.jsonl"))
    except ModuleNotFoundError:
        raise CorpusError(f"corpus.path is {path!r}, and OpenSPADE has no part {name!r}; known: package:nano") from None


def permuted(place: int, size: int, key: str) -> int:
    """Where `place` goes in a keyed permutation of range(size), without holding the permutation.

    A Feistel network over the next even power of two, walked until it lands inside.
    """
    half = max(1, ((size - 1).bit_length() + 1) // 2)
    mask = (1 << half) - 1
    while True:
        left, right = place >> half, place & mask
        for turn in range(ROUNDS):
            left, right = right, left ^ (stable_hash(f"{key}/{turn}/{right}") & mask)
        place = left << half | right
        if place < size:
            return place
