"""GEM: one registered environment a design, by its methods; the package itself is optional."""

from __future__ import annotations

from pathlib import Path

from openspade.interop.package import Export, Target, lay_out_module


def lay_out(export: Export, folder: Path) -> None:
    """A distribution that pip installs."""
    lay_out_module("gem", export, folder)


TARGET = Target(title="GEM", lay_out=lay_out, needs="gem-llm", taken=frozenset({"gem"}))
