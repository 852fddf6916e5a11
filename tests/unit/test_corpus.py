"""Documents: drawn without replacement, balanced, resumable, cut where a reader would."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openspade.curriculum.corpus import Corpus, permuted
from openspade.curriculum.jsonl import JsonlFile, source_group
from openspade.curriculum.lengths import count_words, cut_at_paragraph
from openspade.errors import CorpusError


def write(folder: Path, rows: Sequence[Mapping[str, object]]) -> str:
    path = folder / "corpus.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def rows_of(**sizes: int) -> list[Mapping[str, object]]:
    """So many documents of each source."""
    names = [(source, number) for source, size in sizes.items() for number in range(size)]
    return [{"id": f"{source}{number}", "text": f"{source} {number}", "source": source} for source, number in names]


def ids(corpus: Corpus, n: int) -> list[str]:
    return [corpus.draw("game").id for _ in range(n)]


def test_no_document_comes_twice_before_all_have_come(tmp_path: Path):
    corpus = Corpus.open(write(tmp_path, rows_of(a=7, b=2)), run_seed=1)
    assert len(set(ids(corpus, 9))) == 9


def test_the_second_pass_has_another_order(tmp_path: Path):
    corpus = Corpus.open(write(tmp_path, rows_of(a=30)), run_seed=1)
    first, second = ids(corpus, 30), ids(corpus, 30)
    assert first != second
    assert sorted(first) == sorted(second)


def test_sources_take_turns_while_they_last(tmp_path: Path):
    corpus = Corpus.open(write(tmp_path, rows_of(big=90, small=10)), run_seed=1)
    assert Counter(name.rstrip("0123456789") for name in ids(corpus, 20)) == {"big": 10, "small": 10}


def test_another_seed_gives_another_order(tmp_path: Path):
    path = write(tmp_path, rows_of(a=20))
    assert ids(Corpus.open(path, run_seed=1), 20) != ids(Corpus.open(path, run_seed=2), 20)


def test_a_restored_cursor_goes_on_where_it_stood(tmp_path: Path):
    path = write(tmp_path, rows_of(a=7, b=3))
    whole = ids(Corpus.open(path, run_seed=1), 25)
    first = Corpus.open(path, run_seed=1)
    early = ids(first, 8)
    later = Corpus.open(path, run_seed=1)
    later.restore(json.loads(json.dumps(first.state())))
    assert early + ids(later, 17) == whole


def test_a_cursor_of_another_corpus_is_refused(tmp_path: Path):
    state = Corpus.open(write(tmp_path, rows_of(a=7)), run_seed=1).state()
    with pytest.raises(CorpusError, match="8 documents from 1 sources, the run was using 7"):
        Corpus.open(write(tmp_path, rows_of(a=8)), run_seed=1).restore(state)


def test_coverage_is_the_share_of_documents_drawn(tmp_path: Path):
    corpus = Corpus.open(write(tmp_path, rows_of(a=6, b=2)), run_seed=1)
    ids(corpus, 4)
    assert corpus.coverage() == 0.5
    ids(corpus, 20)
    assert corpus.coverage() == 1


def test_a_document_of_a_kind_is_drawn_for_that_kind_only(tmp_path: Path):
    rows = [{"id": "any", "text": "x"}, {"id": "tool", "text": "y", "kind": "tool"}]
    corpus = Corpus.open(write(tmp_path, rows), run_seed=1)
    assert set(ids(corpus, 2)) == {"any"}
    assert {corpus.draw("tool").id for _ in range(6)} == {"any", "tool"}


def test_a_corpus_without_documents_of_the_kind_says_so(tmp_path: Path):
    corpus = Corpus.open(write(tmp_path, [{"text": "y", "kind": "tool"}]), run_seed=1)
    with pytest.raises(CorpusError, match="no document for briefs of kind game"):
        corpus.draw("game")


@pytest.mark.parametrize("field", ["text", "content", "orig_doc"])
def test_the_text_stands_under_any_of_the_usual_names(tmp_path: Path, field: str):
    document = Corpus.open(write(tmp_path, [{field: "héllo"}]), run_seed=1).draw("game")
    assert (document.text, document.id, document.source, document.span) == ("héllo", "corpus:0", "corpus", (0, 5))


def test_provenance_comes_along(tmp_path: Path):
    row = {"id": 7, "text": "t", "source": "s", "version": "2", "span": [3, 4], "license": "MIT", "other": [1]}
    document = Corpus.open(write(tmp_path, [row]), run_seed=1).draw("game")
    assert (document.id, document.version, document.span, document.licence) == ("7", "2", (3, 4), "MIT")


def test_blank_lines_are_no_documents(tmp_path: Path):
    path = Path(write(tmp_path, rows_of(a=2)))
    path.write_text("\n" + path.read_text() + "\n\n")
    assert len(Corpus.open(str(path), run_seed=1)) == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "holds no document"),
        ('{"text": "a"}\n{"text": ', "document 2"),
        ('["a"]', "document 1"),
        ('{"text": {"a": 1}}', "no line has text"),
        ('{"title": "a"}', "no line has text"),
        ("version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "git lfs pull"),
    ],
)
def test_a_broken_corpus_is_refused_with_the_place(tmp_path: Path, content: str, message: str):
    path = tmp_path / "corpus.jsonl"
    path.write_text(content)
    with pytest.raises(CorpusError, match=message):
        Corpus.open(str(path), run_seed=1)


def test_a_missing_corpus_says_what_to_set(tmp_path: Path):
    with pytest.raises(CorpusError, match=r"set corpus\.path"):
        Corpus.open(str(tmp_path / "none.jsonl"), run_seed=1)
    with pytest.raises(CorpusError, match="package:nano"):
        Corpus.open("package:moon", run_seed=1)


def test_a_stored_index_finds_the_same_documents(tmp_path: Path):
    path = Path(write(tmp_path, rows_of(a=5, b=3)))
    scanned = JsonlFile(path, store_from_bytes=0)
    assert (tmp_path / "corpus.jsonl.index.npz").exists()
    stored = JsonlFile(path)
    assert [stored.document(row) for row in range(8)] == [scanned.document(row) for row in range(8)]
    assert stored.index.groups == scanned.index.groups


@pytest.mark.parametrize("broken", [False, True])
def test_a_stored_index_that_does_not_fit_is_made_anew(tmp_path: Path, broken: bool):
    path = Path(write(tmp_path, rows_of(a=5)))
    JsonlFile(path, store_from_bytes=0)
    if broken:
        (tmp_path / "corpus.jsonl.index.npz").write_bytes(b"PK\x03\x04 cut off")
    write(tmp_path, rows_of(a=7))
    assert len(JsonlFile(path).index) == 7


def test_more_sources_than_balance_makes_sense_for_are_drawn_as_one(tmp_path: Path):
    rows = [{"id": str(number), "text": "x", "source": f"s{number}"} for number in range(1200)]
    corpus = Corpus.open(write(tmp_path, rows), run_seed=1)
    assert len(set(ids(corpus, 1200))) == 1200
    assert corpus.state()["passes"] == [1]


@pytest.mark.parametrize(
    ("source", "group"),
    [("networkx:algorithms/flow.py", "networkx"), ("https://a.org/b", "a.org"), ("notes", "notes"), ("", "")],
)
def test_sources_are_balanced_by_package_host_or_folder(source: str, group: str):
    assert source_group(source) == group


def test_a_long_document_is_cut_at_a_paragraph(tmp_path: Path):
    text = "one two three\n\nfour five\n\nsix seven eight nine"
    document = Corpus.open(write(tmp_path, [{"text": text, "span": [10, 56]}]), run_seed=1, document_tokens=6).draw(
        "game"
    )
    assert document.text == "one two three\n\nfour five"
    assert document.span == (10, 34)


@pytest.mark.parametrize(
    ("text", "limit", "kept"),
    [
        ("a b\nc d\ne f", 4, "a b\nc d"),
        ("One two. Three four. Five six.", 4, "One two. Three four."),
        ("one two three", 2, "one two"),
        ("short", 5, "short"),
    ],
)
def test_where_no_paragraph_fits_lines_sentences_and_words_do(text: str, limit: int, kept: str):
    assert cut_at_paragraph(text, limit, count_words) == kept


def test_a_text_without_any_border_is_still_cut_to_its_limit():
    assert cut_at_paragraph("x" * 50, 20, len) == "x" * 20


@given(st.integers(1, 300), st.text(max_size=5))
def test_a_keyed_permutation_visits_every_place_once(size: int, key: str):
    assert sorted(permuted(place, size, key) for place in range(size)) == list(range(size))
