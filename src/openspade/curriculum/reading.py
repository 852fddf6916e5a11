"""Whatever documents come as, read one by one: folders, files, JSONL, Parquet, data sets, installed packages."""

from __future__ import annotations

import importlib
import importlib.util
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

from openspade.curriculum.docstrings import find_package, package_documents, source_documents
from openspade.curriculum.jsonl import JsonlFile
from openspade.curriculum.markup import text_of_html
from openspade.errors import CorpusError
from openspade.types import Document

TEXT_FIELDS = ("text", "content", "orig_doc")
_SUFFIXES = frozenset({".txt", ".md", ".rst", ".html", ".htm", ".py", ".jsonl", ".parquet"})


def read_input(name: str, licence: str = "") -> Iterator[Document]:
    """Documents of one input, whole. Raises CorpusError where nothing can be read.

    `python:NAME` are an installed package's docstrings, `code:NAME` its functions and classes, `pack:NAME` a list of
    inputs from packs.toml, `hf:NAME` (or `hf:NAME:SPLIT`) a Hugging Face data set, anything else a file or a folder.
    `licence` is for what does not say.
    """
    scheme, colon, rest = name.partition(":")
    readers: Mapping[str, Callable[[str], Iterator[Document]]] = {
        "python": lambda package: package_documents(find_package(package), code=False),
        "code": lambda package: package_documents(find_package(package), code=True),
        "hf": lambda dataset: _dataset(dataset, licence),
        "pack": _pack,
    }
    if colon and scheme in readers:
        yield from readers[scheme](rest)
        return
    path = Path(name)
    if path.is_dir():
        yield from _folder(path, licence)
    elif path.is_file() and path.suffix in _SUFFIXES:
        yield from _file(path, Document(id=path.stem, text="", source=path.name, licence=licence))
    else:
        known = ", ".join(sorted(_SUFFIXES))
        raise CorpusError(
            f"{name} is no folder and no file of a known kind ({known}), nor pack:, python:, code: or hf:NAME"
        )


def _pack(name: str) -> Iterator[Document]:
    table = tomllib.loads((resources.files("openspade.curriculum") / "packs.toml").read_text("utf-8"))
    if name not in table:
        raise CorpusError(f"there is no pack {name!r}; known: {', '.join(table)}")
    pack = table[name]
    missing = [inner for inner in pack["inputs"] if not _is_installed(inner.partition(":")[2])]
    if missing:
        # All at once and before anything is read: some packs take minutes.
        raise CorpusError(
            f"pack:{name} reads packages that are not installed here ({', '.join(missing)}): "
            f"pip install {' '.join(pack['install'])}"
        )
    for inner in pack["inputs"]:
        yield from read_input(inner)


def _is_installed(package: str) -> bool:
    return importlib.util.find_spec(package.partition(".")[0]) is not None


def _folder(folder: Path, licence: str) -> Iterator[Document]:
    for path in sorted(folder.rglob("*")):
        inner = path.relative_to(folder)
        hidden = any(part.startswith(".") for part in inner.parts)
        if path.suffix in _SUFFIXES and path.is_file() and not hidden:
            source = f"{folder.resolve().name}:{inner.as_posix()}"
            identity = f"{folder.resolve().name}/{inner.as_posix()}"
            yield from _file(path, Document(id=identity, text="", source=source, licence=licence))


def _file(path: Path, origin: Document) -> Iterator[Document]:
    match path.suffix:
        case ".jsonl":
            yield from _jsonl(path, origin)
        case ".parquet":
            yield from _parquet(path, origin)
        case ".py":
            yield from source_documents(_text(path), origin, code=True)
        case ".html" | ".htm":
            yield _whole(origin, text_of_html(_text(path)))
        case _:
            yield _whole(origin, _text(path))


def _whole(origin: Document, text: str) -> Document:
    return replace(origin, text=text, span=(0, len(text)))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise CorpusError(f"{path} cannot be read: {error.strerror}") from None


def _jsonl(path: Path, origin: Document) -> Iterator[Document]:
    for document in JsonlFile(path).documents():
        yield document if document.licence else replace(document, licence=origin.licence)


def _parquet(path: Path, origin: Document) -> Iterator[Document]:
    try:
        parquet = importlib.import_module("pyarrow.parquet")
    except ModuleNotFoundError:
        raise CorpusError(f"{path} is Parquet: pip install 'openspade[corpus]' to read it") from None
    file = parquet.ParquetFile(path)
    column = _text_field(file.schema_arrow.names, str(path))
    number = 0
    for batch in file.iter_batches(batch_size=1000):
        for row in batch.to_pylist():
            yield _row(row, column, number, origin)
            number += 1


def _dataset(name: str, licence: str) -> Iterator[Document]:
    try:
        datasets = importlib.import_module("datasets")
    except ModuleNotFoundError:
        raise CorpusError(f"hf:{name} needs the package datasets: pip install 'openspade[corpus]'") from None
    path, _, split = name.partition(":")
    try:
        rows = datasets.load_dataset(path, split=split or "train", streaming=True)
    except (OSError, ValueError) as error:
        raise CorpusError(f"hf:{name} cannot be loaded: {error}") from error
    origin = Document(id=path, text="", source=f"{path}:{split or 'train'}", licence=licence)
    for number, row in enumerate(rows):
        yield _row(row, _text_field(list(row), f"hf:{name}"), number, origin)


def _text_field(names: list[str], where: str) -> str:
    for field in TEXT_FIELDS:
        if field in names:
            return field
    raise CorpusError(f"{where} has no column of text: {', '.join(TEXT_FIELDS)}; it has {', '.join(names)}")


def _row(row: Mapping[str, Any], column: str, number: int, origin: Document) -> Document:
    text = str(row[column] or "")
    return Document(
        id=str(row.get("id") or f"{origin.id}:{number}"),
        text=text,
        source=str(row.get("source") or origin.source),
        version=str(row.get("version") or ""),
        span=(0, len(text)),
        licence=str(row.get("licence") or row.get("license") or origin.licence),
    )
