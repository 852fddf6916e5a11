"""What documentation says of the code is so."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

from openspade import config
from tests import glossary_page

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "openspade"
PAGES = [*sorted(ROOT.glob("docs/**/*.md")), *(ROOT / f"{name}.md" for name in ("README", "STYLE", "CONTRIBUTING"))]
PATH = re.compile(r"`([\w./-]+/[\w.-]+\.(?:py|toml|md|jsonl|sh|txt))`")
MODULE = re.compile(r"`openspade((?:\.\w+)+)`|python -m (benchmarks|tests)\.(\w+)")
LINK = re.compile(r"\]\((?!\w+:)([^)#\s]+)(?:#[^)]*)?\)")
STYLE = (ROOT / "STYLE.md").read_text(encoding="utf-8")
EXTENDING = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")


def _is_there(page: Path, name: str) -> bool:
    """A path as prose gives it: from the repository, the package, or the page. Capitals stand for the reader's own."""
    return name[0].isupper() or any((home / name).exists() for home in (ROOT, ROOT / "src", PACKAGE, page.parent))


def _is_module(dotted: str) -> bool:
    """The name of a module or package, or of something in one."""
    path = PACKAGE.joinpath(*dotted.strip(".").split("."))
    return any(one.is_dir() or one.with_suffix(".py").exists() for one in (path, path.parent))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_path_and_link_of_a_page_leads_somewhere(page: Path):
    text = page.read_text(encoding="utf-8")
    assert [name for name in PATH.findall(text) if not _is_there(page, name)] == []
    assert [name for name in LINK.findall(text) if not (page.parent / name).exists()] == []
    found = MODULE.findall(text)
    assert [ours for ours, _, _ in found if ours and not _is_module(ours)] == []
    named = [ROOT / folder / name for _, folder, name in found if folder]
    assert [at for at in named if not (at.with_suffix(".py").exists() or (at / "__main__.py").exists())] == []


def test_the_layers_of_the_style_are_those_of_the_contract():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    layers = [re.sub("[()]", "", layer) for layer in settings["contracts"][0]["layers"]]
    block = STYLE.partition("## 8.")[2].partition("```text\n")[2].partition("```")[0]
    assert block.splitlines() == layers


def test_the_glossary_is_written_from_the_code():
    assert glossary_page.PAGE.read_text(encoding="utf-8") == glossary_page.page(), "python -m tests.glossary_page"


def test_the_glossary_has_the_words_of_the_style():
    rows = re.findall(r"^\| ([A-Z][\w, -]+) \|", STYLE.partition("## 2.")[0], flags=re.MULTILINE)
    words = {word for row in rows for word in row.split(", ")}
    known = {*glossary_page.SPOKEN, *(word.partition(",")[0] for word, _ in glossary_page.TERMS)}
    assert words and words - known == set()


def test_what_extending_names_is_there():
    named = re.findall(r"`([\w/]+\.py)`'s `(\w+)`", EXTENDING)
    named += [(path, name) for name, path in re.findall(r"`(\w+)` (?:of|\(|in) ?`([\w/]+\.py)`", EXTENDING)]
    named += [("assembly.py", name) for name in re.findall(r"`assembly\.(\w+)`", EXTENDING)]
    tops = {path: _top_names(PACKAGE / path) for path, _ in named}
    assert len(named) >= 8
    assert [(path, name) for path, name in named if name not in tops[path]] == []
    fields = re.findall(r"`(\w+Config)\.(\w+)`", EXTENDING)
    assert fields and all(name in getattr(config, section).model_fields for section, name in fields)


def _top_names(path: Path) -> set[str]:
    tops = ast.parse(path.read_text(encoding="utf-8")).body
    assigned = [node.targets[0] if isinstance(node, ast.Assign) else node.target for node in tops
                if isinstance(node, ast.Assign | ast.AnnAssign)]  # fmt: skip
    defined = {node.name for node in tops if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)}
    return defined | {node.id for node in assigned if isinstance(node, ast.Name)}
