"""verifiers 0.4: a taskset, the environment that plays it, and a server for the tools of its tool tasks."""

from __future__ import annotations

from pathlib import Path

from openspade.interop.package import Export, Target, lay_out_module


def lay_out(export: Export, folder: Path) -> None:
    """A distribution that pip installs."""
    lay_out_module("verifiers", export, folder, ("environment.py", "episodes.py", "tools.py"))


TARGET = Target(title="verifiers 0.4", lay_out=lay_out, needs="verifiers>=0.4", taken=frozenset({"verifiers", "mcp"}))
