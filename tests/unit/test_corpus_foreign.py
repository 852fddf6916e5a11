"""Corpora as people have them: odd values, encodings, languages, lengths, and files that are broken."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from openspade.curriculum.build import BuildOptions, CorpusReport, build_corpus, describe
from openspade.curriculum.chunking import chunks
from openspade.curriculum.corpus import Corpus
from openspade.curriculum.foreign_text import as_label, as_text, decoded
from openspade.curriculum.jsonl import JsonlFile
from openspade.curriculum.lengths import count_words
from openspade.curriculum.near_copies import NearCopies
from openspade.errors import CorpusError
from openspade.types import Document

FOREIGN = Path(__file__).parent / "foreign_corpora"
ANY_LENGTH = BuildOptions(min_words=1)
SENTENCE = "The quick walker of the old city counts seven lamps and one bridge in the rain. "


def built(tmp_path: Path, *inputs: Path, options: BuildOptions = ANY_LENGTH) -> tuple[CorpusReport, list[Document]]:
    report = build_corpus([str(path) for path in inputs], tmp_path / "out" / "corpus.jsonl", options)
    return report, list(JsonlFile(report.path).documents())


def written(tmp_path: Path, content: str | bytes, name: str = "in.jsonl") -> Path:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


# --- rows -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted(FOREIGN.glob("*.jsonl")), ids=lambda path: path.stem)
def test_a_row_with_odd_metadata_is_read(tmp_path: Path, path: Path):
    rows = [line for line in path.read_bytes().splitlines() if line.strip()]
    report, documents = built(tmp_path, path)
    assert len(documents) + sum(report.dropped.values()) == len(rows)
    assert len(documents) >= len(rows) - 1
    assert Corpus.open(str(path), run_seed=1).draw("game").text


def test_what_was_left_out_is_counted_by_reason(tmp_path: Path):
    rows = ['{"text": "one"}', '{"text": null}', '{"text": " "}', '{"text": {"a": 1}}', "{broken", '["two"]', "3", ""]
    report, documents = built(tmp_path, written(tmp_path, "\n".join(rows)))
    assert [document.text for document in documents] == ["one"]
    assert report.dropped == {"row without text": 2, "row whose text is no text": 1, "broken row": 3}
    assert "dropped: broken row 3, row without text 2, row whose text is no text 1" in describe(report)


def test_numbers_and_lists_describe_as_text_and_nothing_describes_nothing(tmp_path: Path):
    row = {"text": "a", "id": 1.5, "version": 3, "license": ["MIT", "CC0"], "source": None, "kind": "article"}
    (document,) = built(tmp_path, written(tmp_path, json.dumps(row)))[1]
    assert (document.id, document.version, document.licence, document.source) == ("1.5", "3", "MIT, CC0", "in")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), None, True, {}, [[1]], 10**41])
def test_what_names_nothing_is_no_label(value: object):
    assert as_label(value) == ""


def test_a_text_in_parts_is_joined(tmp_path: Path):
    assert built(tmp_path, written(tmp_path, '{"text": ["a b", "c"]}'))[1][0].text == "a b\nc"


# --- encodings --------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("name", ["in.txt", "in.jsonl"])
def test_the_encoding_of_a_file_is_found(tmp_path: Path, encoding: str, name: str):
    text = SENTENCE + "Größe"
    content = text if name == "in.txt" else json.dumps({"text": text}, ensure_ascii=False) + "\n"
    assert built(tmp_path, written(tmp_path, content.encode(encoding), name))[1][0].text == text


def test_a_corpus_in_utf_16_is_refused_for_training_with_what_to_do(tmp_path: Path):
    with pytest.raises(CorpusError, match="is not written in UTF-8: `openspade corpus build"):
        Corpus.open(str(written(tmp_path, '{"text": "a b"}\n'.encode("utf-16"))), run_seed=1)


def test_what_is_no_text_is_refused_by_name(tmp_path: Path):
    with pytest.raises(CorpusError, match="is no text"):
        built(tmp_path, written(tmp_path, bytes(range(256)) * 20, "in.txt"))


def test_bytes_in_a_cell_are_text():
    assert as_text("Größe".encode()) == "Größe"
    assert as_text(bytes(range(128, 256))) is None


# --- tables -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["binary", "listtext", "content_and_nulltext"])
def test_cells_of_parquet_are_read_as_text(tmp_path: Path, name: str):
    pytest.importorskip("pyarrow")
    _, documents = built(tmp_path, FOREIGN / f"{name}.parquet")
    assert documents
    assert not any(document.text.startswith(("b'", "['")) for document in documents)


@pytest.mark.parametrize("suffix", [".txt", ".jsonl", ".parquet", ".py", ".html"])
def test_a_pointer_of_git_lfs_is_no_file(tmp_path: Path, suffix: str):
    path = written(tmp_path, (FOREIGN / "lfs.parquet").read_bytes(), f"in{suffix}")
    with pytest.raises(CorpusError, match="git lfs pull"):
        built(tmp_path, path)


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1" + bytes(100) + b"PAR1", b"no table"])
def test_broken_parquet_is_refused_in_a_sentence(tmp_path: Path, content: bytes):
    pytest.importorskip("pyarrow")
    with pytest.raises(CorpusError, match="cannot be read as Parquet"):
        built(tmp_path, written(tmp_path, content, "in.parquet"))


# --- places -----------------------------------------------------------------------------------------


def test_an_unreadable_file_in_a_folder_is_left_out_and_counted(tmp_path: Path):
    folder = tmp_path / "notes"
    folder.mkdir()
    written(folder, SENTENCE, "a.TXT")
    written(folder, (FOREIGN / "lfs.parquet").read_bytes(), "b.parquet")
    (folder / "gone.txt").symlink_to(folder / "nowhere.txt")
    report, documents = built(tmp_path, folder)
    assert (len(documents), report.dropped) == (1, {"unreadable file": 1})


@pytest.mark.parametrize("files", [{}, {"a.bin": b"x"}, {"a.txt": bytes(100)}])
def test_a_folder_without_a_readable_file_is_refused(tmp_path: Path, files: dict[str, bytes]):
    folder = tmp_path / "notes"
    folder.mkdir()
    for name, content in files.items():
        written(folder, content, name)
    with pytest.raises(CorpusError, match="holds no file that can be read"):
        built(tmp_path, folder)


@pytest.mark.parametrize(
    "name", ["/no/such/file.txt", "x" * 5000, "a\0b", "python:", "python:a b", "python:..", "code:é!"]
)
def test_a_name_that_leads_nowhere_is_refused(tmp_path: Path, name: str):
    with pytest.raises(CorpusError):
        build_corpus([name], tmp_path / "out.jsonl")


def test_a_folder_is_no_place_to_write_to(tmp_path: Path):
    with pytest.raises(CorpusError, match="--output names the JSONL file"):
        build_corpus([str(written(tmp_path, SENTENCE, "a.txt"))], tmp_path)


# --- lengths ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("你好世界" * 50, 90, 200),
        ("これはペンです。" * 20, 70, 160),
        ("สวัสดีชาวโลก" * 20, 50, 240),
        ("one two three", 3, 3),
        ("Größe über alles", 3, 3),
        ("x" * 6400, 100, 100),
        ("한국어 문장 하나", 3, 3),
        ("", 0, 0),
    ],
)
def test_words_are_counted_also_where_no_blanks_are_written(text: str, least: int, most: int):
    assert least <= count_words(text) <= most


def test_a_chinese_text_is_kept_and_cut_at_its_sentences(tmp_path: Path):
    sentences = [f"这是第{number}句话讲的是第{number * 7}座城市的灯和桥。" for number in range(300)]
    _, documents = built(tmp_path, written(tmp_path, "".join(sentences), "in.txt"), options=BuildOptions())
    assert len(documents) > 1
    assert all(document.text.endswith("。") and count_words(document.text) <= 600 for document in documents)
    assert "".join(document.text for document in documents) == "".join(sentences)


@given(st.text(alphabet="ab .\n\r\t#=-你好。ก\u2028", max_size=400), st.integers(1, 20))
def test_pieces_fit_and_lose_nothing_but_blanks(text: str, limit: int):
    document = Document(id="a", text=text, source="s", span=(0, len(text)))
    pieces = list(chunks(document, limit, count_words))
    assert all(count_words(piece.text) <= limit for piece in pieces)
    assert [text[slice(*piece.span)] for piece in pieces] == [piece.text for piece in pieces]
    assert "".join("".join(piece.text for piece in pieces).split()) == "".join(text.split())


@pytest.mark.parametrize("end", [" ", "\n", "\n\n", ""], ids=["one line", "lines", "paragraphs", "one word"])
def test_half_a_million_words_take_time_in_proportion(tmp_path: Path, end: str):
    def cpu_s(words: int) -> float:
        text = end.join(f"w{number}" for number in range(words))
        started = time.process_time()
        pieces = list(chunks(Document(id="a", text=text, source="s", span=(0, len(text))), 600, count_words))
        assert sum(len(piece.text.split()) for piece in pieces) >= words * bool(end)
        return time.process_time() - started

    small, large = cpu_s(54_000), cpu_s(540_000)
    assert large < 30 * small + 0.5


# --- near copies ------------------------------------------------------------------------------------


def test_a_text_with_a_word_changed_is_a_near_copy_and_another_text_is_none():
    near = NearCopies(similarity=0.8, remembered_bands=1000)
    words = [f"word{chr(97 + number % 26)}{chr(97 + number // 26)}" for number in range(300)]
    assert not near.is_one(" ".join(words))
    assert near.is_one(" ".join([*words[:100], "other", *words[101:]]))
    assert not near.is_one(" ".join(reversed(words)))
    assert not near.is_one("")


def test_a_chinese_text_with_a_sign_changed_is_a_near_copy():
    near = NearCopies(similarity=0.8, remembered_bands=1000)
    text = "".join(chr(0x4E00 + number * 17) for number in range(300))
    assert not near.is_one(text)
    assert near.is_one("好" + text)


# --- anything ---------------------------------------------------------------------------------------

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["\ud800", "game", 10**400]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
FIELDS = ("id", "text", "content", "orig_doc", "source", "version", "span", "licence", "license", "kind")
ROWS = st.dictionaries(st.sampled_from(FIELDS), VALUES).map(lambda row: json.dumps(row).encode())
anything = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)


@anything
@given(
    st.lists(ROWS | st.binary(max_size=30) | st.sampled_from([b"[" * 5000, b'{"text":' * 5000, b"1e999"]), max_size=6)
)
def test_any_jsonl_gives_documents_or_a_sentence(tmp_path: Path, rows: list[bytes]):
    path = written(tmp_path, b"\n".join(rows))
    for read in (lambda: built(tmp_path, path), lambda: Corpus.open(str(path), run_seed=1).draw("game")):
        with suppress(CorpusError):  # Anything else is a fault.
            read()


@anything
@given(
    st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode(errors="surrogatepass")),
    st.sampled_from([".txt", ".md", ".html", ".py", ".jsonl", ".parquet"]),
)
def test_any_file_gives_documents_or_a_sentence(tmp_path: Path, content: bytes, suffix: str):
    with suppress(CorpusError):  # Anything else is a fault.
        built(tmp_path, written(tmp_path, content, f"in{suffix}"))


STUMBLING = {
    "marked section": (".html", "<![x[ a"),
    "declaration": (".html", "<!DOCTYPE [<!x"),
    "open signs": (".html", "<" * 5000),
    "open tags": (".html", "<p>" * 5000),
    "references": (".html", "&#xD800;&#99999999999;"),
    "brackets": (".py", "(" * 5000),
    "signs": (".py", "x=" + "-" * 100_000 + "1"),
    "lists": (".py", "def f(x=" + "[" * 150 + "]" * 150 + "): ''"),
    "zero": (".py", "x = 1" + " " * 50 + "\0"),
    "attributes": (".py", "a" + ".b" * 20_000),
}


@pytest.mark.parametrize(("suffix", "content"), STUMBLING.values(), ids=STUMBLING)
def test_files_that_parsers_stumble_on_give_documents_or_a_sentence(tmp_path: Path, suffix: str, content: str):
    with suppress(CorpusError):  # Anything else is a fault.
        built(tmp_path, written(tmp_path, content, f"in{suffix}"))


@given(st.binary(max_size=200))
def test_any_bytes_are_text_or_none(content: bytes):
    text = decoded(content)
    assert text is None or text.encode().decode() == text
