"""TRL: one environment class a design for GRPOTrainer, and the dataset that routes rows to them."""

from __future__ import annotations

from pathlib import Path

from openspade.interop.package import Export, Target, fill, lay_out_module


def lay_out(export: Export, folder: Path) -> None:
    """A distribution that pip installs, and a script that trains."""
    lay_out_module("trl", export, folder)
    fill("trl/train.py.txt", folder / "train.py", export)


TARGET = Target(title="TRL", lay_out=lay_out, needs="trl>=1.16", taken=frozenset({"trl", "datasets", "transformers"}))
