"""The rules of STYLE.md that no linter knows."""

import ast
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "openspade"
MODULES = sorted(PACKAGE.rglob("*.py"))
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


@pytest.mark.parametrize("path", [path for path in MODULES if path.name == "__init__.py"], ids=_name)
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
