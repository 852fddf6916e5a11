"""Documents from Python sources: docstrings under their signatures, or code by function and class.

Sources are parsed, never imported: importing would run them.
"""

from __future__ import annotations

import ast
import importlib.util
import platform
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path

from openspade.errors import CorpusError
from openspade.types import Document

_UNREAD_FOLDERS = frozenset(
    "tests test testing conftest _vendor vendored externals site-packages idlelib lib2to3".split()
)
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True, kw_only=True, slots=True)
class Package:
    """An installed package: where its sources lie, and what they may be used for."""

    name: str
    root: Path
    version: str
    licence: str


def find_package(name: str) -> Package:
    """An installed package, or one of its parts (`scipy.optimize`), by import name, without importing it."""
    top, *inner = name.split(".")
    if not all(part.isidentifier() for part in (top, *inner)):
        raise CorpusError(
            f"{name!r} is no import name: write python:networkx, or python:scipy.optimize for a part of one"
        )
    if top in sys.stdlib_module_names:
        root = Path(sysconfig.get_path("stdlib")) / top
        version, licence = platform.python_version(), "PSF-2.0"
    else:
        spec = importlib.util.find_spec(top)
        if spec is None or spec.origin is None:
            raise CorpusError(f"no package {top!r} is installed here: pip install it first, or check the import name")
        file = Path(spec.origin)
        root = file.parent if file.name == "__init__.py" else file.with_suffix("")
        version, licence = _distribution_facts(top)
    root = root.joinpath(*inner)
    root = root if root.is_dir() else root.with_suffix(".py")
    if not root.exists():
        raise CorpusError(f"{name!r} has no Python source to read ({root} is missing); modules written in C have none")
    return Package(name=name, root=root, version=version, licence=licence)


def package_documents(package: Package, *, code: bool) -> Iterator[Document]:
    """A package's docstrings, or with `code` its functions and classes, tests and vendored parts left out."""
    files = [package.root] if package.root.is_file() else sorted(package.root.rglob("*.py"))
    above = Path(*package.name.split(".")[:-1])
    for file in files:
        inner = above / file.relative_to(package.root.parent)
        if _UNREAD_FOLDERS.isdisjoint(inner.with_suffix("").parts) and not inner.name.startswith("test_"):
            module = ".".join(inner.with_suffix("").parts).removesuffix(".__init__")
            origin = Document(
                id=module,
                text="",
                source=f"{package.name.partition('.')[0]}:{inner.as_posix()}",
                version=package.version,
                licence=package.licence,
            )
            yield from source_documents(file.read_text(encoding="utf-8", errors="replace"), origin, code=code)


def source_documents(source: str, origin: Document, *, code: bool) -> Iterator[Document]:
    """A module's public docstrings or definitions; `origin` lends id, source, version and licence. None if unparsable.

    The span is that of the docstring, or of the definition, in the file.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    lines = _LineStarts(source)
    if docstring := ast.get_docstring(tree):
        yield _document(origin, origin.id, docstring, lines.span(tree.body[0]))
    for name, node in _public(tree, origin.id):
        if code:
            start, end = lines.span(node)
            yield _document(origin, name, source[start:end], (start, end))
        elif ast.get_docstring(node):
            text = f"{_heading(name, node)}\n\n{ast.get_docstring(node)}"
            yield _document(origin, name, text, lines.span(node.body[0]))


class _LineStarts:
    """From the parser's lines and UTF-8 columns to places in the text."""

    def __init__(self, source: str) -> None:
        self._lines = source.splitlines(keepends=True)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def span(self, node: ast.stmt) -> tuple[int, int]:
        first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", []))])
        start = self._starts[first - 1] if first < node.lineno else self._place(node.lineno, node.col_offset)
        return start, self._place(node.end_lineno or node.lineno, node.end_col_offset or 0)

    def _place(self, line: int, column: int) -> int:
        before = self._lines[line - 1].encode()[:column].decode(errors="ignore") if line <= len(self._lines) else ""
        return self._starts[min(line, len(self._starts)) - 1] + len(before)


def _public(tree: ast.Module | ast.ClassDef, prefix: str) -> Iterator[tuple[str, _Definition]]:
    for node in tree.body:
        if isinstance(node, _Definition) and not node.name.startswith("_"):
            yield f"{prefix}.{node.name}", node
            if isinstance(node, ast.ClassDef):
                yield from _public(node, f"{prefix}.{node.name}")


def _heading(name: str, node: _Definition) -> str:
    if isinstance(node, ast.ClassDef):
        return f"class {name}"
    return f"{name}({ast.unparse(node.args)})"


def _document(origin: Document, name: str, text: str, span: tuple[int, int]) -> Document:
    return replace(origin, id=name, text=text, span=span)


def _distribution_facts(top: str) -> tuple[str, str]:
    names = metadata.packages_distributions().get(top, [])
    if not names:
        return "", ""
    about = metadata.metadata(names[0]).json
    declared = (
        about.get("license_expression") or _classified(about.get("classifier") or []) or about.get("license") or ""
    )
    return str(about["version"]), str(declared).strip().partition("\n")[0][:80]


def _classified(classifiers: str | list[str]) -> str:
    licences = [line.rpartition(" :: ")[2] for line in classifiers if line.startswith("License :: ")]
    return ", ".join(licence for licence in licences if licence != "OSI Approved")
