"""Every metric has one row, and the row is where everything about it comes from."""

import ast
import re
from collections import Counter
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from openspade.metrics.catalogue import headlines, metric
from openspade.metrics.rows import ROWS
from tests.metrics_page import PAGE, page

PACKAGE = Path(__file__).parents[2] / "src" / "openspade"
GROUPS = {row.group for row in ROWS}


def _written(node: ast.AST) -> str:
    """A string as it is written, a star for what is put into it."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    assert isinstance(node, ast.JoinedStr)
    return "".join(part.value if isinstance(part, ast.Constant) else "*" for part in node.values)


def _named_in(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    texts = [
        _written(node)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in inside
    ]
    return {text for text in texts if text.partition("/")[0] in GROUPS and text.count("/") == 1 and " " not in text}


def _meet(one: str, other: str) -> bool:
    return fnmatchcase(one, other) or fnmatchcase(other, one)


NAMED = {
    path: names
    for path in sorted(PACKAGE.rglob("*.py"))
    if path.parent.name not in ("starter", "pool") and path.name != "rows.py" and (names := _named_in(path))
}


@pytest.mark.parametrize("path", NAMED, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_metric_that_the_code_names_has_a_row(path: Path):
    rows = [row.name for row in ROWS]
    unknown = {name for name in NAMED[path] if not name.endswith("/") and not any(_meet(name, row) for row in rows)}
    assert not unknown, f"no row in metrics/rows.py for {unknown}"


def test_a_row_without_a_producer_is_deleted():
    named = set().union(*NAMED.values())
    assert [row.name for row in ROWS if not row.derived and not any(_meet(name, row.name) for name in named)] == []


def test_names_are_given_once_and_what_a_row_points_to_is_there():
    assert max(Counter(row.name for row in ROWS).values()) == 1
    assert all(metric(name).meaning for row in ROWS for name in (row.half, row.low, row.high) if name)


def test_the_page_says_what_the_catalogue_says():
    assert PAGE.read_text(encoding="utf-8") == page(), "run `python -m tests.metrics_page`"


def test_a_member_of_a_family_is_labelled_by_its_own_name():
    assert (metric("refused/floor_gap").label, metric("refused/floor_gap").short) == (
        "Drafts refused by floor_gap",
        "floor_gap",
    )
    assert metric("heldout/score").label != metric("heldout/clock").label


def test_a_name_that_nobody_knows_is_its_own_label():
    assert metric("later/figure").label == "later/figure"


def test_a_table_with_room_holds_the_headlines_too():
    assert set(headlines(room=False)) < set(headlines(room=True))


NO_METRICS = {"plan.py"}
"""It foretells: what it names is no run's."""
VIEWS = [
    path
    for folder in ("cli", "dashboard", "report", "runview", "loggers", "memory/read")
    for path in sorted((PACKAGE / folder).rglob("*"))
    if path.suffix in (".py", ".html", ".md", ".js") and "vendor" not in path.parts and path.name not in NO_METRICS
]
WORDS_OF_THEIR_OWN = set(
    "accepted Agent Designer draft drafts episodes examine hinted learn level memory playtest pool qualified played "
    "regret repairs reviewed solved steps time trajectories truncated turns useful verify void alarm coverage".split()
)
"""Short labels that are other things, too: a verdict, an outcome, a role, a stage, a design's column."""
LABELS = {label for row in ROWS for label in (row.label, row.short) if "*" not in label} - WORDS_OF_THEIR_OWN
PHRASES = {label.lower() for label in LABELS if " " in label}


def _texts(path: Path) -> list[str]:
    """What a view says by itself: its strings, or what stands between tags, less what is put in."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        said = re.sub(r"\{\{.*?\}\}|\{%.*?%\}", "\n", text, flags=re.DOTALL)
        return re.split(r'[<>"\n|`]', said) if path.suffix != ".js" else re.findall(r"[\"`]([^\"`\n]*)[\"`]", text)
    tree = ast.parse(text)
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    strings = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in told]
    return [node.value for node in strings if isinstance(node.value, str)]


def _is_label(text: str) -> bool:
    said = text.strip(" \t,.:;()[]0123456789%±→/")
    return said in LABELS or any(re.search(rf"\b{re.escape(phrase)}\b", said.lower()) for phrase in PHRASES)


@pytest.mark.parametrize("path", VIEWS, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_view_names_no_metrics_label_itself(path: Path):
    named = [text.strip() for text in _texts(path) if _is_label(text)]
    assert not named, f"metric(NAME).label or .short says {named}"
