"""Documents from Parquet files and Hugging Face data sets, with their own libraries and without a network."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from openspade.curriculum.build import BuildOptions, build_corpus
from openspade.curriculum.corpus import Corpus
from openspade.curriculum.reading import read_input
from openspade.errors import CorpusError
from openspade.types import Document


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A folder with one Parquet file, as a data set on the hub is laid out."""
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    folder = tmp_path / "data"
    folder.mkdir()
    texts = [f"Document number {number} about sorting." for number in range(2500)]
    rows = {"content": texts, "license": ["MIT"] * 2500, "year": list(range(2500))}
    parquet.write_table(pyarrow.table(rows), folder / "train.parquet")
    return folder


def facts(documents: list[Document]) -> tuple[int, str, str, str]:
    return len(documents), documents[2100].text, documents[0].licence, documents[0].source


def test_parquet_rows_become_documents(table: Path):
    found = list(read_input(str(table / "train.parquet")))
    assert facts(found) == (2500, "Document number 2100 about sorting.", "MIT", "train.parquet")
    assert found[1].id == "train:1"


def test_a_data_set_on_this_machine_becomes_documents(table: Path):
    pytest.importorskip("datasets")
    found = list(read_input(f"hf:{table}"))
    assert facts(found) == (2500, "Document number 2100 about sorting.", "MIT", f"{table}:train")


def test_a_split_that_a_data_set_lacks_is_named(table: Path):
    pytest.importorskip("datasets")
    with pytest.raises(CorpusError, match="test"):
        list(read_input(f"hf:{table}:test"))


def test_a_corpus_is_made_from_a_folder_of_parquet(table: Path, tmp_path: Path):
    options = BuildOptions(min_words=1, near_duplicate=1.1)
    assert build_corpus([str(table)], tmp_path / "out.jsonl", options).documents == 2500
    assert Corpus.open(str(tmp_path / "out.jsonl"), run_seed=1).draw("game").licence == "MIT"


def test_a_table_without_text_is_refused_with_its_columns(tmp_path: Path):
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.table({"year": [1]}), tmp_path / "a.parquet")
    with pytest.raises(CorpusError, match="has no column of text: text, content, orig_doc; it has year"):
        list(read_input(str(tmp_path / "a.parquet")))


@pytest.mark.skipif(find_spec("stripe") is not None, reason="the pack's packages are installed here")
def test_a_pack_without_its_packages_says_at_once_what_to_install():
    with pytest.raises(CorpusError, match=r"python:stripe.*pip install stripe slack_sdk httpx sqlalchemy"):
        next(read_input("pack:code-api"))
