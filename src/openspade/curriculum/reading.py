"""Whatever documents come as, read one by one: folders, files, JSONL, Parquet, data sets, installed packages."""

from __future__ import annotations

import importlib.util
import io
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path

from openspade.curriculum.docstrings import find_package, package_documents, source_documents
from openspade.curriculum.foreign_text import content_of, decoded, encoding_of, refuse_pointer
from openspade.curriculum.jsonl import decode_row, document_of
from openspade.curriculum.markup import text_of_html
from openspade.curriculum.tables import dataset_documents, parquet_documents
from openspade.errors import CorpusError
from openspade.types import Document

_SCHEMES = frozenset({"python", "code", "hf", "pack"})
_SUFFIXES = frozenset({".txt", ".md", ".rst", ".html", ".htm", ".py", ".jsonl", ".parquet"})


@dataclass(kw_only=True)
class Intake:
    """What came of reading so far: rows and files that were left out, by reason, and how far it is."""

    licence: str = ""
    """For what does not name its own."""
    dropped: Counter[str] = field(default_factory=Counter)
    read_bytes: float = 0.0
    """Of all files: up to the end of the document that was read last."""


def size_of_inputs(names: Sequence[str]) -> int:
    """Bytes of the files and folders among the inputs."""
    paths = [Path(name) for name in names if not _scheme(name)]
    return sum(_size(file) for path in paths for file in (_files(path) if _is_folder(path) else [path]))


def read_input(name: str, reading: Intake | None = None) -> Iterator[Document]:
    """Documents of one input, whole. Raises CorpusError where nothing can be read.

    `python:NAME` are an installed package's docstrings, `code:NAME` its functions and classes, `pack:NAME` a list of
    inputs from packs.toml, `hf:NAME` (or `hf:NAME:SPLIT`) a Hugging Face data set, anything else a file or a folder.
    A file that is named must be readable; one that lies in a folder is left out and counted when it is not.
    """
    reading = reading or Intake()
    rest = name.partition(":")[2]
    match _scheme(name):
        case "python":
            yield from package_documents(find_package(rest), code=False)
        case "code":
            yield from package_documents(find_package(rest), code=True)
        case "hf":
            yield from dataset_documents(rest, reading.licence, reading.dropped)
        case "pack":
            yield from _pack(rest)
        case _:
            yield from _path(Path(name), reading)


def _scheme(name: str) -> str:
    scheme, colon, _ = name.partition(":")
    return scheme if colon and scheme in _SCHEMES else ""


def _path(path: Path, reading: Intake) -> Iterator[Document]:
    if _is_folder(path):
        yield from _folder(path, reading)
        return
    if _size(path) < 0:
        raise CorpusError(f"{path} does not exist: an input is a file, a folder, or pack:, python:, code: or hf:NAME")
    if path.suffix.lower() not in _SUFFIXES:
        known = ", ".join(sorted(_SUFFIXES))
        raise CorpusError(f"{path} is no folder and no file of a known kind ({known}): rename or convert it")
    yield from _file(path, Document(id=path.stem, text="", source=path.name, licence=reading.licence), reading)


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


def _folder(folder: Path, reading: Intake) -> Iterator[Document]:
    name, readable, reason = folder.resolve().name, 0, ", ".join(sorted(_SUFFIXES))
    for path in _files(folder):
        inner = path.relative_to(folder).as_posix()
        origin = Document(id=f"{name}/{inner}", text="", source=f"{name}:{inner}", licence=reading.licence)
        before = reading.read_bytes
        try:
            yield from _file(path, origin, reading)
            readable += 1
        except CorpusError as error:
            reading.dropped["unreadable file"] += 1
            reading.read_bytes = before + _size(path)
            reason = str(error)
    if not readable:
        raise CorpusError(f"{folder} holds no file that can be read ({reason})")


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if path.suffix.lower() in _SUFFIXES and not hidden and path.is_file():
            yield path


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _size(path: Path) -> int:
    """A file's bytes; -1 when there is none."""
    try:
        return path.stat().st_size
    except (OSError, ValueError):
        return -1


def _file(path: Path, origin: Document, reading: Intake) -> Iterator[Document]:
    before, size = reading.read_bytes, _size(path)
    match path.suffix.lower():
        case ".jsonl":
            yield from _jsonl(path, origin, reading)
        case ".parquet":
            for share, document in parquet_documents(path, origin, reading.dropped):
                reading.read_bytes = before + share * size
                yield document
        case suffix:
            text = decoded(content_of(path))
            if text is None:
                raise CorpusError(f"{path} is no text: neither UTF-8 nor UTF-16")
            for document in _documents_of_text(suffix, text, origin):
                reading.read_bytes = before + size
                yield document
    reading.read_bytes = before + size


def _documents_of_text(suffix: str, text: str, origin: Document) -> Iterator[Document]:
    match suffix:
        case ".py":
            yield from source_documents(text, origin, code=True)
        case ".html" | ".htm":
            page = text_of_html(text)
            yield replace(origin, text=page, span=(0, len(page)))
        case _:
            yield replace(origin, text=text, span=(0, len(text)))


def _jsonl(path: Path, origin: Document, reading: Intake) -> Iterator[Document]:
    before, number = reading.read_bytes, 0
    for end, line in _lines(path):
        reading.read_bytes = before + end
        if line.isspace():
            continue
        try:
            row = decode_row(line)
        except ValueError:
            reading.dropped["broken row"] += 1
            continue
        text = row.body()
        if text is None or not text.strip():
            reading.dropped["row without text" if text is not None else "row whose text is no text"] += 1
            continue
        document = document_of(row, text, path.stem, number)
        number += 1
        yield document if document.licence else replace(document, licence=origin.licence)


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Each line in UTF-8, with the place in the file where it ends."""
    try:
        with path.open("rb") as file:
            start = file.read(4096)
            refuse_pointer(path, start)
            encoding = encoding_of(start)
            file.seek(0)
            end = 0
            if encoding in ("utf-8", "utf-8-sig"):
                for line in file:
                    end += len(line)
                    yield end, line
            else:
                with io.TextIOWrapper(file, encoding=encoding, errors="replace", newline="\n") as texts:
                    for text in texts:
                        yield file.tell(), text.encode(errors="replace")
    except OSError as error:
        raise CorpusError(f"{path} cannot be read: {error.strerror}") from None
