"""Documents in a JSONL file of any size: an index of offsets is kept in memory, the text stays on disk."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal
from urllib.parse import urlsplit
from zipfile import BadZipFile

import msgspec
import numpy as np

from openspade.errors import CorpusError
from openspade.types import Document

MAX_GROUPS = 1000
"""With more sources than this, balance between them means nothing and costs much: they are drawn as one."""


class Row(msgspec.Struct):
    """A line of the file. The text may stand under any of the three names that public corpora use."""

    id: str | int = ""
    text: str = ""
    content: str = ""
    orig_doc: str = ""
    source: str = ""
    version: str = ""
    span: tuple[int, int] = (0, 0)
    licence: str = ""
    license: str = ""
    kind: Literal["", "game", "tool"] = ""

    def body(self) -> str:
        """The document's text; '' when it has none."""
        return self.text or self.content or self.orig_doc


@dataclass(frozen=True, kw_only=True)
class Index:
    """Where the documents begin, and which of them belong together: `members[g]` holds rows of `groups[g]`."""

    offsets: np.ndarray
    groups: tuple[tuple[str, str], ...]
    members: tuple[np.ndarray, ...]

    def __len__(self) -> int:
        return len(self.offsets)


class JsonlFile:
    """A file of documents, read by row number. From `store_from_bytes` on, its index is stored beside it."""

    def __init__(self, path: Path, *, store_from_bytes: int = 64 * 2**20) -> None:
        self.path = path
        self._store_from_bytes = store_from_bytes
        self._decoder = msgspec.json.Decoder(Row)
        self.index = self._cached_index() or self._scan()

    def document(self, row: int) -> Document:
        """The document of a row."""
        with _open(self.path) as file:
            file.seek(int(self.index.offsets[row]))
            return self._document(self._decode(file.readline(), row), row)

    def documents(self) -> Iterator[Document]:
        """All documents in the order of the file, read once."""
        for row, (_, line) in enumerate(self._lines()):
            yield self._document(self._decode(line, row), row)

    def _document(self, stored: Row, row: int) -> Document:
        text = stored.body()
        return Document(
            id=str(stored.id) or f"{self.path.stem}:{row}",
            text=text,
            source=stored.source or self.path.stem,
            version=stored.version,
            span=stored.span if stored.span != (0, 0) else (0, len(text)),
            licence=stored.licence or stored.license,
        )

    def _decode(self, line: bytes, number: int) -> Row:
        try:
            return self._decoder.decode(line)
        except msgspec.MsgspecError as error:
            raise CorpusError(
                f"{self.path}, document {number + 1}: {error}; each line must be a JSON object with a text field"
            ) from None

    def _scan(self) -> Index:
        offsets, codes = array("Q"), array("I")
        names: dict[tuple[str, str], int] = {}
        for number, (offset, line) in enumerate(self._lines()):
            row = self._decode(line, number)
            if not row.body().strip():
                raise CorpusError(f"{self.path}, document {number + 1} has no text: one of text, content, orig_doc")
            offsets.append(offset)
            codes.append(names.setdefault((source_group(row.source), row.kind), len(names)))
        if not offsets:
            raise CorpusError(f"{self.path} holds no document; make one with `openspade corpus build`")
        index = _index(np.asarray(offsets, dtype=np.uint64), np.asarray(codes, dtype=np.uint32), list(names))
        self._store_index(index)
        return index

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        offset = 0
        with _open(self.path) as file:
            for line in file:
                if not line.isspace():
                    yield offset, line
                offset += len(line)

    # A scan of 10 GB takes 16 s (docs/corpus.md); small files are not worth a second file beside them.

    def _index_path(self) -> Path:
        return self.path.with_name(self.path.name + ".index.npz")

    def _stamp(self) -> np.ndarray:
        stat = self.path.stat()
        return np.asarray([stat.st_size, stat.st_mtime_ns], dtype=np.int64)

    def _cached_index(self) -> Index | None:
        try:
            with self._index_path().open("rb") as file, np.load(file, allow_pickle=False) as stored:
                if not np.array_equal(stored["stamp"], self._stamp()):
                    return None
                names = [(str(source), str(kind)) for source, kind in stored["groups"]]
                return _index(stored["offsets"], stored["codes"], names)
        except (OSError, ValueError, KeyError, BadZipFile):
            return None

    def _store_index(self, index: Index) -> None:
        if self.path.stat().st_size < self._store_from_bytes:
            return
        codes = np.zeros(len(index), dtype=np.uint32)
        for code, rows in enumerate(index.members):
            codes[rows] = code
        aside = self._index_path().with_suffix(".partial.npz")
        try:
            np.savez(aside, stamp=self._stamp(), offsets=index.offsets, codes=codes, groups=np.asarray(index.groups))
            aside.replace(self._index_path())
        except OSError:
            return  # A read-only folder only costs the next scan.


def source_group(source: str) -> str:
    """What a document is balanced with: the part of its source before the first colon, or an address's host."""
    return urlsplit(source).netloc if "://" in source else source.partition(":")[0]


def _index(offsets: np.ndarray, codes: np.ndarray, names: list[tuple[str, str]]) -> Index:
    if len(names) > MAX_GROUPS:
        kinds = list(dict.fromkeys(kind for _, kind in names))
        codes = np.asarray([kinds.index(kind) for _, kind in names], dtype=np.uint32)[codes]
        names = [("", kind) for kind in kinds]
    order = np.argsort(codes, kind="stable").astype(np.uint32)
    borders = np.searchsorted(codes[order], np.arange(1, len(names)))
    return Index(offsets=offsets, groups=tuple(names), members=tuple(np.split(order, borders)))


def _open(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except OSError as error:
        raise CorpusError(
            f"corpus {path} cannot be read ({error.strerror}): set corpus.path to a file made by "
            f"`openspade corpus build`, or corpus.enabled = false"
        ) from None
