"""Gymnasium: one registered environment a design, texts in and out."""

from __future__ import annotations

from pathlib import Path

from openspade.interop.package import Export, Target, lay_out_module


def lay_out(export: Export, folder: Path) -> None:
    """A distribution that pip installs."""
    lay_out_module("gymnasium", export, folder)


TARGET = Target(title="Gymnasium", lay_out=lay_out, needs="gymnasium", taken=frozenset({"gymnasium", "gym"}))
