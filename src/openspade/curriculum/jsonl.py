"""Documents in a JSONL file of any size: an index of offsets is kept in memory, the text stays on disk."""

from __future__ import annotations

import codecs
import json
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, get_args
from urllib.parse import urlsplit
from zipfile import BadZipFile

import msgspec
import numpy as np

from openspade.curriculum.foreign_text import as_label, as_text, encoding_of, refuse_pointer
from openspade.errors import CorpusError
from openspade.types import Document, Kind

MAX_GROUPS = 1000
"""With more sources than this, balance between them means nothing and costs much: they are drawn as one."""


class Row(msgspec.Struct):
    """A line of the file, its values as they are. The text may stand under any of three names that corpora use."""

    id: object = None
    text: object = None
    content: object = None
    orig_doc: object = None
    source: object = None
    version: object = None
    span: object = None
    licence: object = None
    license: object = None
    kind: object = None

    def body(self) -> str | None:
        """The document's text; '' when it has none, None when what stands there is no text."""
        bodies = [as_text(cell) for cell in (self.text, self.content, self.orig_doc) if cell is not None]
        return next((body for body in bodies if body), None if None in bodies else "")

    def brief_kind(self) -> str:
        """For which briefs it is meant; '' for any. Another word than ours is somebody else's remark."""
        return self.kind if isinstance(self.kind, str) and self.kind in get_args(Kind) else ""

    def place(self) -> tuple[int, int] | None:
        """Where the text stands in its source, where the row says so."""
        match self.span:
            case [int(start), int(end)] if 0 <= start < end:
                return start, end
            case _:
                return None


_DECODER = msgspec.json.Decoder(Row)


def decode_row(line: bytes) -> Row:
    """A line of JSON, or what tools write for it (NaN, lone surrogates, a byte order mark). Raises ValueError."""
    line = line.removeprefix(codecs.BOM_UTF8)
    try:
        return _DECODER.decode(line)
    except (ValueError, RecursionError):
        pass
    try:
        value = json.loads(line.decode(errors="replace"))
    except RecursionError:
        raise ValueError("it nests too deep") from None
    if not isinstance(value, dict):
        raise ValueError("it is no JSON object")
    return Row(**{name: value[name] for name in Row.__struct_fields__ if name in value})


def document_of(row: Row, text: str, name: str, number: int) -> Document:
    """The document of a row; what it does not say about itself is taken from the file's name and the line's number."""
    return Document(
        id=as_label(row.id) or f"{name}:{number}",
        text=text,
        source=as_label(row.source) or name,
        version=as_label(row.version),
        span=row.place() or (0, len(text)),
        licence=as_label(row.licence) or as_label(row.license),
    )


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
        self.index = self._cached_index() or self._scan()

    def document(self, row: int) -> Document:
        """The document of a row."""
        with _open(self.path) as file:
            file.seek(int(self.index.offsets[row]))
            return self._document(self._decode(file.readline(), row), row)

    def documents(self) -> Iterator[Document]:
        """All documents in the order of the file, read once."""
        number = 0
        for _, line in self._lines():
            row = self._decode(line, number)
            if (row.body() or "").strip():
                yield self._document(row, number)
                number += 1

    def _document(self, stored: Row, row: int) -> Document:
        return document_of(stored, stored.body() or "", self.path.stem, row)

    def _decode(self, line: bytes, number: int) -> Row:
        try:
            return decode_row(line)
        except ValueError as error:
            raise CorpusError(
                f"{self.path}, document {number + 1}: {error}; each line must be a JSON object with a text field. "
                f"`openspade corpus build {self.path} -o FILE` leaves out what cannot be read"
            ) from None

    def _scan(self) -> Index:
        offsets, codes = array("Q"), array("I")
        with _open(self.path) as file:
            start = file.read(4096)
        refuse_pointer(self.path, start)
        if encoding_of(start) not in ("utf-8", "utf-8-sig"):
            raise CorpusError(
                f"{self.path} is not written in UTF-8: `openspade corpus build {self.path} -o FILE` makes it so"
            )
        names: dict[tuple[str, str], int] = {}
        for number, (offset, line) in enumerate(self._lines()):
            row = self._decode(line, number)
            if not (row.body() or "").strip():
                continue
            offsets.append(offset)
            group = source_group(as_label(row.source)), row.brief_kind()
            codes.append(names.setdefault(group, len(names)))
        if not offsets:
            raise CorpusError(
                f"{self.path} holds no document: no line has text under one of text, content, orig_doc; "
                f"make a corpus with `openspade corpus build`"
            )
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
    try:
        return urlsplit(source).netloc if "://" in source else source.partition(":")[0]
    except ValueError:  # An address with brackets that do not match.
        return source.partition(":")[0]


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
    except (OSError, ValueError) as error:
        raise CorpusError(
            f"corpus {path} cannot be read ({getattr(error, 'strerror', error)}): set corpus.path to a file made by "
            f"`openspade corpus build`, or corpus.enabled = false"
        ) from None
