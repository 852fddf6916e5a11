"""The rules of STYLE.md that no linter knows."""

import ast
import sys
from collections import Counter
from collections.abc import Iterable
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "openspade"
# Files of other projects' packages, written out when environments leave; their names are those projects' words.
TEMPLATES = PACKAGE / "interop" / "templates"
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if TEMPLATES not in path.parents)
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
MAX_LINES = 300
# One file, because every export carries it along.
LONG_FOR_A_REASON = {"openspade_env.py"}
CONFINED = {"zygote", "child", "determinism"}
WALLS = {"walls", "linux", "lockdown", "seccomp", "seatbelt"}
FAR_SIDE = {f"child/{name}" for name in CONFINED} | {f"isolation/{name}" for name in WALLS}
WHOLLY_STANDARD = [
    PACKAGE / "openspade_env.py",
    PACKAGE / "errors.py",
    *(PACKAGE / "sandbox" / f"{name}.py" for name in sorted(FAR_SIDE)),
]


def _name(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


def _imports(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    return names | {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}


@pytest.mark.parametrize("path", [path for path in MODULES if path.name not in LONG_FOR_A_REASON], ids=_name)
def test_a_module_fits_in_one_sitting(path: Path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_LINES


@pytest.mark.parametrize(
    "path", [path for path in MODULES if path.name == "__init__.py" and path.parent != PACKAGE], ids=_name
)
def test_a_package_file_holds_one_docstring(path: Path):
    body = ast.parse(path.read_text(encoding="utf-8")).body
    assert len(body) == 1
    assert isinstance(body[0], ast.Expr)


@pytest.mark.parametrize("path", WHOLLY_STANDARD, ids=_name)
def test_the_far_side_of_the_wall_imports_only_the_standard_library(path: Path):
    foreign = {name for name in _imports(path) if name.partition(".")[0] not in sys.stdlib_module_names}
    allowed = {f"openspade.sandbox.{name.replace('/', '.')}" for name in FAR_SIDE} | {
        "openspade.sandbox.child",
        "openspade.sandbox.isolation",
        "openspade.sandbox",
        "openspade.errors",
        "openspade_env",
    }
    assert foreign <= allowed


def _imported_modules(path: Path) -> set[str]:
    """Modules of the package that a module imports anywhere in it, also inside a function."""
    nodes = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.ImportFrom)]
    parts = {f"{node.module}.{alias.name}" for node in nodes for alias in node.names}
    return _imports(path) | parts


def test_no_modules_import_each_other_in_a_circle():
    names = {".".join(("openspade", *path.relative_to(PACKAGE).with_suffix("").parts)): path for path in MODULES}
    graph = {name: (_imported_modules(path) & names.keys()) - {name} for name, path in names.items()}
    assert graph["openspade.assembly"] > {"openspade.run", "openspade.engine.local"}
    TopologicalSorter(graph).prepare()


# Names that still mean two things, each a part's own view of one: the list only ever gets shorter.
TWO_MEANINGS = {"Instance", "Play"}
# A package's own promises; a package and its chief module.
SAME_WORD_MODULES = {"base", "chat", "child", "memory"}
TWO_MEANINGS_MODULES = {"corpus", "credit"}


def _twice(names: Iterable[str]) -> set[str]:
    return {name for name, count in Counter(names).items() if count > 1}


def test_a_public_class_name_has_one_meaning():
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in MODULES if PACKAGE / "pool" not in path.parents]
    classes = [node.name for tree in trees for node in tree.body if isinstance(node, ast.ClassDef)]
    assert _twice(name for name in classes if not name.startswith("_")) - TWO_MEANINGS == set()


def test_a_module_name_has_one_meaning():
    # A command's module may be named like the part it shows.
    modules = [path for path in MODULES if path.parent != PACKAGE / "cli"]
    names = [path.parent.name if path.name == "__init__.py" else path.stem for path in modules]
    assert _twice(names) - SAME_WORD_MODULES - TWO_MEANINGS_MODULES == set()


def test_nine_of_ten_functions_are_shorter_than_thirty_lines():
    nodes = [node for path in MODULES for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    lengths = [(node.end_lineno or 0) - node.lineno + 1 for node in nodes if isinstance(node, FUNCTIONS)]
    assert sorted(lengths)[len(lengths) * 9 // 10] < 30
