"""`export`: chosen designs, proven in the sandbox, as a complete package of another framework."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from openspade.errors import ConfigError
from openspade.interop.package import Export, package_name, write_package
from openspade.interop.proof import Proven, Unproven, prove
from openspade.interop.selection import Selection, select
from openspade.interop.targets import target_named

SEEDS = range(8)


@dataclass(frozen=True, kw_only=True, slots=True)
class Exporting:
    """What was written, which package it needs to run, and what was left out and why."""

    folder: Path
    needs: str
    proven: tuple[Proven, ...]
    left_out: tuple[Unproven, ...]


def export(
    source: str,
    to: str,
    output: Path,
    selection: Selection = Selection(),  # noqa: B008 - frozen
    *,
    seeds: Sequence[int] = SEEDS,
    leave_out: bool = False,
) -> Exporting:
    """Write the designs of a run, a file or a pool as a package for the framework `to` into a new folder.

    Every design's solution must win on every seed; with `leave_out` those where it does not are left out and named.
    Raises ConfigError, and then nothing was written.
    """
    target = target_named(to)
    if not seeds:
        raise ConfigError("--seeds names no seed; an export needs at least one instance a design")
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise ConfigError(f"{output} exists and is not an empty folder: name another with -o")
    judged = asyncio.run(prove(select(source, selection), seeds))
    proven = tuple(one for one in judged if isinstance(one, Proven))
    unproven = tuple(one for one in judged if isinstance(one, Unproven))
    if unproven and not (leave_out and proven):
        first = unproven[0]
        design = first.candidate.exported.design
        more = f" (and {len(unproven) - 1} more)" if len(unproven) > 1 else ""
        advice = "" if leave_out else "; --leave-out exports the others"
        raise ConfigError(f"design {design.id} cannot leave: {first.reason}{more}{advice}")
    name = package_name(output, target.taken)
    write_package(target, Export(source=source, name=name, proven=proven), output)
    return Exporting(folder=output, needs=target.needs, proven=proven, left_out=unproven)
