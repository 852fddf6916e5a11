"""verifiers before 0.2: one module with `load_environment`; OpenEnv's importer reads this form too."""

from __future__ import annotations

from pathlib import Path

from openspade.interop.package import Export, Target, lay_out_module


def lay_out(export: Export, folder: Path) -> None:
    """A distribution that pip installs."""
    lay_out_module("verifiers-v0", export, folder)


TARGET = Target(title="verifiers 0.1", lay_out=lay_out, needs="verifiers<0.2", taken=frozenset({"verifiers"}))
