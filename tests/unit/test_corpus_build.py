"""A corpus made from folders, files and installed packages, with provenance."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from openspade.curriculum.bounded_dict import Latest
from openspade.curriculum.build import BuildOptions, BuildProgress, build_corpus, describe, survey
from openspade.curriculum.chunking import chunks
from openspade.curriculum.corpus import Corpus
from openspade.curriculum.docstrings import find_package, source_documents
from openspade.curriculum.jsonl import JsonlFile
from openspade.curriculum.lengths import count_words
from openspade.curriculum.markup import text_of_html
from openspade.curriculum.reading import read_input
from openspade.errors import CorpusError
from openspade.types import Document

ANY_LENGTH = BuildOptions(min_words=1)
MODULE = '''"""About é shapes."""

class Square:
    """Four equal sides."""

    def area(self, side=1):
        """Side times side."""
        return side * side

    def _hidden(self):
        """Not for readers."""

@cached
def undocumented(): ...
'''


def built(output: Path) -> list[Document]:
    return list(JsonlFile(output).documents())


def a_text(text: str) -> Document:
    return Document(id="a", text=text, source="notes", span=(0, len(text)))


# --- inputs -----------------------------------------------------------------------------------------


def test_a_corpus_is_made_from_networkx(tmp_path: Path):
    report = build_corpus(["python:networkx.algorithms.shortest_paths"], tmp_path / "graphs.jsonl")
    assert report.documents > 20
    assert set(report.by_licence) == {"BSD-3-Clause"}
    drawn = Corpus.open(str(tmp_path / "graphs.jsonl"), run_seed=1).draw("game")
    assert drawn.source.startswith("networkx:networkx/")
    assert drawn.version


def test_a_corpus_is_made_from_the_standard_library(tmp_path: Path):
    build_corpus(["python:statistics", "python:heapq"], tmp_path / "std.jsonl")
    found = {document.id: document for document in built(tmp_path / "std.jsonl")}
    assert "Return the sample arithmetic mean" in found["statistics.mean"].text
    assert found["heapq.merge"].licence == "PSF-2.0"


def test_a_span_leads_back_to_the_docstring_in_the_source(tmp_path: Path):
    build_corpus(["python:statistics"], tmp_path / "std.jsonl")
    document = next(document for document in built(tmp_path / "std.jsonl") if document.id == "statistics.mean")
    source = find_package("statistics").root.read_text(encoding="utf-8")
    assert "Return the sample arithmetic mean" in source[slice(*document.span)]


def test_part_of_a_package_can_be_named():
    documents = list(read_input("python:networkx.algorithms.flow"))
    assert {document.id.rpartition(".flow.")[0] for document in documents[1:]} == {"networkx.algorithms"}


def test_docstrings_stand_under_their_signatures_and_private_ones_are_left_out():
    found = [(d.id, d.text) for d in source_documents(MODULE, a_text(""), code=False)]
    assert found == [
        ("a", "About é shapes."),
        ("a.Square", "class a.Square\n\nFour equal sides."),
        ("a.Square.area", "a.Square.area(self, side=1)\n\nSide times side."),
    ]


def test_code_is_taken_by_definition_with_its_decorators():
    found = {d.id: d for d in source_documents(MODULE, a_text(""), code=True)}
    assert found["a.undocumented"].text == "@cached\ndef undocumented(): ..."
    assert all(MODULE[slice(*d.span)] == d.text for d in found.values() if d.id != "a")


def test_code_that_does_not_parse_gives_nothing():
    assert list(source_documents("def (", a_text(""), code=True)) == []


def test_a_folder_of_mixed_files_becomes_documents(tmp_path: Path):
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.txt").write_text("Plain words.")
    (folder / "b.html").write_text("<p>Page words.</p>")
    (folder / "c.py").write_text("def f():\n    return 'code words'\n")
    (folder / "d.jsonl").write_text('{"content": "Row words.", "licence": "CC0"}\n')
    (folder / ".hidden.txt").write_text("Unseen.")
    (folder / "e.bin").write_text("Unseen.")
    build_corpus([str(folder)], tmp_path / "out.jsonl", BuildOptions(min_words=1, licence="MIT"))
    found = {document.text: (document.source, document.licence) for document in built(tmp_path / "out.jsonl")}
    assert found == {
        "Plain words.": ("notes:a.txt", "MIT"),
        "Page words.": ("notes:b.html", "MIT"),
        "def f():\n    return 'code words'": ("notes:c.py", "MIT"),
        "Row words.": ("d", "CC0"),
    }


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("/no/such/place", "does not exist"),
        ("python:no_such_package", "pip install it first"),
        ("python:math", "no Python source"),
        ("pack:moon", "known: math-science, code-api"),
        ("python:networkx.nothing", "no Python source"),
    ],
)
def test_an_input_that_cannot_be_read_is_refused_with_its_name(tmp_path: Path, name: str, message: str):
    with pytest.raises(CorpusError, match=message):
        build_corpus([name], tmp_path / "out.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_a_page_is_read_without_what_surrounds_the_article():
    start = "<head><title>t</title><body><nav>menu</nav><h1>Head</h1>"
    rest = "<p>One &amp; <b>two</b>\nthree</p><pre>a\n  b</pre><script>x</script>"
    assert text_of_html(start + rest) == "Head\n\nOne & two three\n\na\n  b"


# --- cutting ----------------------------------------------------------------------------------------


def test_a_long_text_is_cut_between_paragraphs_with_its_spans():
    text = "one two\n\nthree four\n\nfive six seven"
    pieces = list(chunks(a_text(text), 4, count_words))
    assert [piece.text for piece in pieces] == ["one two\n\nthree four", "five six seven"]
    assert [text[slice(*piece.span)] for piece in pieces] == [piece.text for piece in pieces]
    assert [piece.id for piece in pieces] == ["a#0", "a#1"]


def test_a_heading_stays_with_what_it_heads():
    text = "one two three four\n\n# Head\n\nfive six\n\nseven eight nine ten"
    assert [piece.text for piece in chunks(a_text(text), 8, count_words)][1].startswith("# Head")


def test_nothing_of_a_long_paragraph_is_lost():
    text = " ".join(f"Sentence number {number} here." for number in range(40))
    pieces = list(chunks(a_text(text), 10, count_words))
    assert " ".join(piece.text for piece in pieces) == text
    assert all(count_words(piece.text) <= 10 for piece in pieces)


# --- sifting ----------------------------------------------------------------------------------------


def write_texts(folder: Path, *texts: str) -> str:
    path = folder / "in.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    return str(path)


def test_short_equal_and_nearly_equal_texts_are_dropped_and_counted(tmp_path: Path):
    words = [f"word{'abcdefghij'[number % 10]}{'klmnopqrst'[number // 10]}" for number in range(100)]
    text = " ".join(words)
    source = write_texts(tmp_path, text, text.upper(), text + " end", "too short", " ".join(reversed(words)))
    report = build_corpus([source], tmp_path / "out.jsonl")
    assert report.documents == 2
    assert report.dropped == {"short": 1, "duplicate": 1, "near-duplicate": 1}


def test_what_came_long_ago_is_forgotten_and_the_latest_kept():
    latest = Latest[int, str](3)
    for number in range(10):
        latest.put(number, str(number))
    assert all(number in latest for number in (7, 8, 9))
    assert not any(number in latest for number in range(4))
    assert (latest.get(9, ""), latest.get(0, "gone")) == ("9", "gone")


def test_other_languages_are_dropped_when_english_is_asked_for(tmp_path: Path):
    english = "The order of the numbers in a list is that of their size, and it can be found by sorting."
    german = "Die Reihenfolge der Zahlen einer Liste ergibt sich aus ihrer Größe und wird durch Sortieren gefunden."
    source = write_texts(tmp_path, english, german)
    report = build_corpus([source], tmp_path / "out.jsonl", BuildOptions(min_words=1, english=True))
    assert (report.documents, report.dropped) == (1, {"not English": 1})


def test_an_input_of_which_nothing_is_left_is_an_error(tmp_path: Path):
    with pytest.raises(CorpusError, match=r"nothing of .* was left: dropped: short 1; see --min-words"):
        build_corpus([write_texts(tmp_path, "brief")], tmp_path / "out.jsonl")


def test_the_same_inputs_give_the_same_file(tmp_path: Path):
    source = write_texts(tmp_path, "one two", "three four")
    first = build_corpus([source], tmp_path / "a.jsonl", ANY_LENGTH)
    second = build_corpus([source], tmp_path / "b.jsonl", ANY_LENGTH)
    assert first.sha256 == second.sha256


def test_a_kind_given_to_the_build_stands_in_every_row(tmp_path: Path):
    build_corpus([write_texts(tmp_path, "one two")], tmp_path / "a.jsonl", BuildOptions(min_words=1, kind="tool"))
    with pytest.raises(CorpusError, match="no document for briefs of kind game"):
        Corpus.open(str(tmp_path / "a.jsonl"), run_seed=1).draw("game")


def test_progress_is_told_piece_by_piece(tmp_path: Path):
    told: list[BuildProgress] = []
    build_corpus([write_texts(tmp_path, "one", "two")], tmp_path / "a.jsonl", ANY_LENGTH, progress=told.append)
    assert [(progress.pieces, progress.read_bytes / progress.size_bytes) for progress in told] == [(1, 0.5), (2, 1)]


def test_a_survey_counts_sources_licences_and_lengths(tmp_path: Path):
    build_corpus([write_texts(tmp_path, "one", "two three")], tmp_path / "a.jsonl", ANY_LENGTH)
    report = survey(str(tmp_path / "a.jsonl"))
    assert (report.documents, report.words, report.lengths) == (2, 3, (1, 1, 1, 1, 2))
    assert report.by_source == {"in": 2}
    assert report.by_licence == {"unknown": 2}
    assert "2 documents, 3 words" in describe(report)
