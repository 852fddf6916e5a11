"""Documents from tables: rows of Parquet files and of Hugging Face data sets, cells as they are."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from openspade.curriculum.foreign_text import as_label, as_text, refuse_pointer
from openspade.errors import CorpusError
from openspade.types import Document

TEXT_COLUMNS = ("text", "content", "orig_doc")
_BATCH_ROWS = 1000


def parquet_documents(path: Path, origin: Document, dropped: Counter[str]) -> Iterator[tuple[float, Document]]:
    """The rows of a file that have text, each with the share of the file that is read by then."""
    try:
        pyarrow = importlib.import_module("pyarrow")
        parquet = importlib.import_module("pyarrow.parquet")
    except ModuleNotFoundError:
        raise CorpusError(f"{path} is Parquet: pip install 'openspade[corpus]' to read it") from None
    try:
        with path.open("rb") as start:
            refuse_pointer(path, start.read(4096))
        file = parquet.ParquetFile(path)
        _require_text(file.schema_arrow.names, str(path))
        number = 0
        for batch in file.iter_batches(batch_size=_BATCH_ROWS):
            for row in batch.to_pylist():
                number += 1
                document = _document(row, number - 1, origin, dropped)
                if document is not None:
                    yield number / file.metadata.num_rows, document
    except (OSError, ValueError, OverflowError, pyarrow.lib.ArrowException) as error:
        raise CorpusError(f"{path} cannot be read as Parquet: {_first_line(error)}; is it whole?") from None


def dataset_documents(name: str, licence: str, dropped: Counter[str]) -> Iterator[Document]:
    """The rows of a data set that have text, streamed. `name` is PATH or PATH:SPLIT."""
    try:
        datasets = importlib.import_module("datasets")
    except ModuleNotFoundError:
        raise CorpusError(f"hf:{name} needs the package datasets: pip install 'openspade[corpus]'") from None
    path, _, split = name.partition(":")
    origin = Document(id=path, text="", source=f"{path}:{split or 'train'}", licence=licence)
    try:
        rows = datasets.load_dataset(path, split=split or "train", streaming=True)
        for number, row in enumerate(rows):
            if number == 0:
                _require_text(list(row), f"hf:{name}")
            document = _document(row, number, origin, dropped)
            if document is not None:
                yield document
    except (OSError, ValueError) as error:
        raise CorpusError(f"hf:{name} cannot be loaded: {_first_line(error)}") from error


def _require_text(columns: list[str], where: str) -> None:
    if not set(TEXT_COLUMNS) & set(columns):
        raise CorpusError(f"{where} has no column of text: {', '.join(TEXT_COLUMNS)}; it has {', '.join(columns)}")


def _document(row: Mapping[str, object], number: int, origin: Document, dropped: Counter[str]) -> Document | None:
    cells = [row[column] for column in TEXT_COLUMNS if row.get(column) is not None]
    texts = [as_text(cell) for cell in cells]
    text = next((text for text in texts if text and text.strip()), "")
    if not text:
        dropped["row whose text is no text" if None in texts else "row without text"] += 1
        return None
    return Document(
        id=as_label(row.get("id")) or f"{origin.id}:{number}",
        text=text,
        source=as_label(row.get("source")) or origin.source,
        version=as_label(row.get("version")),
        span=(0, len(text)),
        licence=as_label(row.get("licence")) or as_label(row.get("license")) or origin.licence,
    )


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
