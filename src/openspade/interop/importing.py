"""`import`: other people's environments as a pool, each tried in the sandbox; what cannot come in is told, with why."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from openspade.curriculum.design_files import write_designs
from openspade.curriculum.given_families import GIVEN, given_families
from openspade.errors import ConfigError, SandboxError
from openspade.interop.confined import imports_numpy
from openspade.interop.package import write_rows
from openspade.interop.spade_pool import foreign_programs, with_tools, wrapped
from openspade.memory.write.exchange import Exported
from openspade.roles.source import design_id, read_design
from openspade.sandbox.failures import ProgramError, ProgramFault, SandboxFailure
from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.settings.worlds import SandboxConfig
from openspade.tokens import JSON
from openspade.types import Problem

LIST = "imported.jsonl"


@dataclass(frozen=True, kw_only=True, slots=True)
class Arrival:
    """One environment of the source: the program it became, or why it could not ("" when it could)."""

    name: str
    source: str = ""
    probe: str = ""
    reason: str = ""
    note: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Importing:
    """What came in and what did not; together they are all that the source holds."""

    arrived: tuple[Arrival, ...]
    refused: tuple[Arrival, ...]


def import_pool(source: str, output: Path, names: Sequence[str] = (), *, levels: int = 1) -> Importing:
    """Write a folder of programs, with `imported.jsonl` beside them that tells of every environment of the source.

    A given source has `levels` designs of each family. Raises ConfigError, and then nothing was written.
    """
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise ConfigError(f"{output} exists and is not an empty folder: name another with -o")
    tried = asyncio.run(_tried(_once(_chosen(_arrivals(source, names, levels), names, source))))
    arrived = tuple(one for one in tried if not one.reason)
    refused = tuple(one for one in tried if one.reason)
    if not arrived:
        first = f": {refused[0].name}: {refused[0].reason}" if refused else ""
        raise ConfigError(f"nothing of {source} can be imported{first}")
    _write(arrived, refused, output)
    return Importing(arrived=arrived, refused=refused)


def _arrivals(source: str, names: Sequence[str], levels: int) -> Iterator[Arrival]:
    if source in GIVEN:
        yield from _given(source, names, levels)
        return
    path = Path(source)
    if not path.exists():
        raise ConfigError(f"there is no {source}: name a pool's folder or file, or one of {', '.join(GIVEN)}")
    for program in foreign_programs(path):
        wrapping = wrapped(program)
        if isinstance(wrapping, Problem):
            yield Arrival(name=program.name, reason=f"{wrapping.message} {wrapping.evidence}".strip())
        else:
            yield Arrival(name=program.name, source=wrapping.source, probe=wrapping.probe)


def _given(source: str, names: Sequence[str], levels: int) -> Iterator[Arrival]:
    try:
        families = given_families(source, names)
    except SandboxError as error:
        raise ConfigError(str(error)) from None
    for family in families:
        for level in range(1, min(levels, family.levels) + 1):
            yield Arrival(name=f"{family.name}, level {level}", source=family.given.program(family.name, level, 0))
    for name, reason in {} if names else GIVEN[source].left_out.items():
        yield Arrival(name=name, reason=reason)


def _chosen(arrivals: Iterator[Arrival], names: Sequence[str], source: str) -> list[Arrival]:
    found = list(arrivals)
    if source in GIVEN or not names:
        return found
    known = {one.name for one in found}
    for name in names:
        if name not in known:
            raise ConfigError(f"{source} holds no {name!r}; it holds {', '.join(sorted(known)[:8])}")
    return [one for one in found if one.name in names]


def _once(arrivals: Sequence[Arrival]) -> list[Arrival]:
    """The same program twice is one design: the second is told apart, not lost."""
    first: dict[str, str] = {}
    kept: list[Arrival] = []
    for one in arrivals:
        twin = first.setdefault(design_id(one.source), one.name) if one.source else one.name
        told = one if twin == one.name else Arrival(name=one.name, reason=f"the same program as {twin}")
        kept.append(told)
    return kept


async def _tried(arrivals: Sequence[Arrival]) -> list[Arrival]:
    """Each loaded and begun once, behind the sandbox's walls."""
    numpy = any(imports_numpy(one.source) for one in arrivals)
    async with SandboxPool(SandboxConfig(workers=1), numpy=numpy) as pool:
        return [await _tried_one(pool, one) if one.source else one for one in arrivals]


async def _tried_one(pool: SandboxPool, arrival: Arrival) -> Arrival:
    try:
        told = await _first_observation(pool, arrival.probe) if arrival.probe else ""
        source = with_tools(arrival.source, told) if arrival.probe else arrival.source
        design = source if isinstance(source, Problem) else read_design(source)
        if isinstance(design, Problem):
            return Arrival(name=arrival.name, reason=f"{design.message} {design.evidence}".strip())
        async with await pool.open(design.source) as environment:
            (first,) = await environment.reset([0])
            if isinstance(first, ProgramFault):
                return Arrival(name=arrival.name, reason=f"it does not start: {first.message}")
            plan = (await environment.plan())[0]
    except SandboxFailure as failure:
        return Arrival(name=arrival.name, reason=str(failure))
    note = f"no solution is known: {plan.message}" if isinstance(plan, ProgramFault) else ""
    return Arrival(name=arrival.name, source=design.source, note=note)


async def _first_observation(pool: SandboxPool, source: str) -> str:
    async with await pool.open(source) as environment:
        (first,) = await environment.reset([0])
        if isinstance(first, ProgramFault):
            raise ProgramError(first)
        return first.text


def _write(arrived: Sequence[Arrival], refused: Sequence[Arrival], output: Path) -> None:
    aside = output.with_name(f".{output.name}.importing")
    try:
        shutil.rmtree(aside, ignore_errors=True)
        aside.parent.mkdir(parents=True, exist_ok=True)
        write_designs(map(_exported, arrived), aside)
        write_rows(aside / LIST, map(_row, [*arrived, *refused]))
        aside.replace(output)
    except OSError as error:
        raise ConfigError(f"{output} cannot be written: {error.strerror}") from error
    finally:
        with suppress(OSError):
            shutil.rmtree(aside)


def _exported(arrival: Arrival) -> Exported:
    design = read_design(arrival.source)
    assert not isinstance(design, Problem), "it was read before"
    return Exported(design=design, asked_skill=design.skill)


def _row(arrival: Arrival) -> Mapping[str, JSON]:
    design = design_id(arrival.source) if arrival.source else ""
    return {"name": arrival.name, "design": design, "reason": arrival.reason, "note": arrival.note}
