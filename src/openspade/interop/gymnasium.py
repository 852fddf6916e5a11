"""Gymnasium: one registered environment a design, texts in and out."""

from __future__ import annotations

from pathlib import Path

from openspade.interop.package import Export, Target, fill, fill_readme, write_module


def lay_out(export: Export, folder: Path) -> None:
    """A distribution that pip installs."""
    package = folder / export.module
    write_module(export, package)
    fill("gymnasium/package.py", package / "__init__.py", export)
    fill("gymnasium/environment.py", package / "environment.py", export)
    fill("gymnasium/pyproject.toml", folder / "pyproject.toml", export)
    fill_readme("gymnasium/README.md", folder, export)


TARGET = Target(title="Gymnasium", lay_out=lay_out, needs="gymnasium", taken=frozenset({"gymnasium", "gym"}))
