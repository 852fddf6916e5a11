"""What every export holds, whatever it is for: programs, the contract, provenance, how to run it, a licence.

All of it is written aside and renamed: nobody sees half an export.
"""

from __future__ import annotations

import hashlib
import json
import keyword
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from string import Template

from openspade.errors import ConfigError
from openspade.interop.proof import Proven
from openspade.interop.selection import Selected
from openspade.memory.search.recall import headline
from openspade.tokens import JSON
from openspade.types import Design

TEMPLATES = Path(__file__).parent / "templates"
CONTRACT = Path(__file__).parents[1] / "openspade_env.py"
KEY_CHARACTERS = 32
SHARED = ("playing.py", "replies.py")


@dataclass(frozen=True, kw_only=True, slots=True)
class Export:
    """What leaves, and under which name: `name` is a distribution's, `module` the one to import."""

    source: str
    name: str
    proven: tuple[Proven, ...]

    @property
    def module(self) -> str:
        return self.name.replace("-", "_")

    @property
    def rows(self) -> int:
        return sum(len(proven.instances) for proven in self.proven)


@dataclass(frozen=True, kw_only=True, slots=True)
class Target:
    """One framework: `lay_out` writes what it needs beside the common files; `packages` are those it needs to run."""

    title: str
    lay_out: Callable[[Export, Path], None]
    needs: str
    taken: frozenset[str] = frozenset()
    """Names of modules that the export's own must not hide."""


def write_package(target: Target, export: Export, output: Path) -> None:
    """The whole export as a new folder. Raises ConfigError where the folder exists or cannot be written."""
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise ConfigError(f"{output} exists and is not an empty folder: name another with -o")
    aside = output.with_name(f".{output.name}.partial")
    try:
        shutil.rmtree(aside, ignore_errors=True)
        aside.mkdir(parents=True)
        target.lay_out(export, aside)
        shutil.copyfile(TEMPLATES / "shared" / "LICENSE", aside / "LICENSE")
        write_json(aside / "provenance.json", _provenance(export))
        aside.replace(output)
    except OSError as error:
        raise ConfigError(f"{output} cannot be written: {error.strerror}") from error
    finally:
        with suppress(OSError):
            shutil.rmtree(aside)


def write_module(export: Export, folder: Path) -> None:
    """The importable part that all targets share: programs, contract, facts, hints apart, and how to play them."""
    programs = folder / "programs"
    programs.mkdir(parents=True)
    for proven in export.proven:
        design = proven.candidate.exported.design
        (programs / f"{design.id}.py").write_text(design.source, encoding="utf-8", newline="")
    shutil.copyfile(CONTRACT, folder / CONTRACT.name)
    for name in SHARED:
        fill(f"shared/{name}", folder / name, export)
    write_rows(folder / "designs.jsonl", (facts(one, export.source) for one in export.proven))
    hints = ((one.candidate.exported.design.id, one.candidate.exported.design.hint) for one in export.proven)
    write_rows(folder / "hints.jsonl", ({"id": name, "hint": hint} for name, hint in hints))
    write_rows(folder / "instances.jsonl", instance_rows(export))


def lay_out_module(target: str, export: Export, folder: Path, modules: Sequence[str] = ("environment.py",)) -> None:
    """A distribution that pip installs: the shared module, and the target's own templates in it."""
    write_module(export, folder / export.module)
    fill(f"{target}/package.py", folder / export.module / "__init__.py", export)
    for name in modules:
        fill(f"{target}/{name}", folder / export.module / name, export)
    fill(f"{target}/pyproject.toml", folder / "pyproject.toml", export)
    fill_readme(f"{target}/README.md", folder, export)


def facts(proven: Proven, source: str) -> dict[str, JSON]:
    """What is known of a design, the hint left out; what was never measured is null."""
    candidate = proven.candidate
    exported, origin = candidate.exported, candidate.provenance
    design, stats, document = exported.design, exported.stats, exported.document
    return {
        "id": design.id,
        "key": key_of(design),
        "title": design.title,
        "skill": design.skill,
        "asked_skill": exported.asked_skill,
        "kind": design.kind,
        "max_turns": design.max_turns,
        "sha256": hashlib.sha256(design.source.encode()).hexdigest(),
        "seeds": [instance.seed for instance in proven.instances],
        "tools": [dict(tool) for tool in proven.tools],
        "source": source,
        "run": origin.run if origin else None,
        "cycle": origin.cycle if origin else None,
        "policy_version": exported.policy_version,
        "gates": [{"gate": gate.gate, "passed": gate.passed, "note": gate.note} for gate in origin.gates]
        if origin
        else [],
        "plays": candidate.plays,
        "solve_rate": candidate.solve_rate,
        "solve_rate_interval": _listed(candidate.solve_rate_interval),
        "hinted_solve_rate": stats.hinted_solve_rate if stats and stats.hinted_played else None,
        "regret": candidate.regret,
        "regret_interval": _listed(candidate.regret_interval),
        "document": {
            "id": document.id,
            "source": document.source,
            "version": document.version,
            "span": list(document.span),
            "licence": document.licence,
        }
        if document
        else None,
    }


def key_of(design: Design) -> str:
    """A name that people can read, unlike the id: words of the title, and the id's beginning."""
    words = re.sub(r"[^a-z0-9]+", "_", headline(design.title).lower())[:KEY_CHARACTERS].strip("_")
    return f"{words or 'design'}_{design.id[:8]}"


def instance_rows(export: Export) -> Iterable[dict[str, JSON]]:
    """One a design and seed."""
    for proven in export.proven:
        for instance in proven.instances:
            yield {
                "design": proven.candidate.exported.design.id,
                "seed": instance.seed,
                "first_observation": instance.first_observation,
            }


def fill(template: str, path: Path, export: Export, **values: str) -> None:
    """A template with its `@{...}` filled in; whatever else stands in it stays."""
    text = (TEMPLATES / template).read_text(encoding="utf-8")
    known = {
        "NAME": export.name,
        "MODULE": export.module,
        "DESIGNS": str(len(export.proven)),
        "ROWS": str(export.rows),
        "SOURCE": export.source,
        "OPENSPADE": version("openspade"),
        "FIRST": export.proven[0].candidate.exported.design.id,
        **values,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(Filled(text).safe_substitute(known), encoding="utf-8")


def fill_readme(template: str, folder: Path, export: Export, **values: str) -> None:
    """The README: what the target's template says, then what all of them say."""
    common = Filled((TEMPLATES / "shared" / "README.md").read_text(encoding="utf-8"))
    licences = sorted({_licence(one.candidate) for one in export.proven})
    text = common.safe_substitute(LICENCES="; ".join(licences))
    fill(template, folder / "README.md", export, COMMON=text, **values)
    # What the common part names is filled in by a second pass.
    path = folder / "README.md"
    text = path.read_text(encoding="utf-8")
    filled = {"DESIGNS": str(len(export.proven)), "SOURCE": export.source, "OPENSPADE": version("openspade")}
    path.write_text(Filled(text).safe_substitute(filled), encoding="utf-8")


def write_json(path: Path, value: JSON) -> None:
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def write_rows(path: Path, rows: Iterable[Mapping[str, JSON]]) -> None:
    """JSONL: every row has the same keys, in the same order."""
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        file.writelines(lines)


def package_name(output: Path, taken: Iterable[str]) -> str:
    """A distribution's name from a folder's, whose module hides no other.

    >>> package_name(Path("out/My pool!"), ()), package_name(Path("gem"), ["gem"]), package_name(Path("7"), ())
    ('my-pool', 'gem-environments', 'environments-7')
    """
    name = re.sub(r"[^a-z0-9]+", "-", output.resolve().name.lower()).strip("-") or "environments"
    if name[0].isdigit():
        name = f"environments-{name}"
    module = name.replace("-", "_")
    hides = keyword.iskeyword(module) or module in sys.stdlib_module_names or module in {*taken, "openspade"}
    return f"{name}-environments" if hides else name


def _provenance(export: Export) -> dict[str, JSON]:
    return {
        "made_by": f"openspade {version('openspade')}",
        "source": export.source,
        "designs": [facts(one, export.source) for one in export.proven],
    }


def _listed(interval: Sequence[float] | None) -> list[JSON] | None:
    return None if interval is None else list(interval)


def _licence(candidate: Selected) -> str:
    document = candidate.exported.document
    if document is None:
        return "no document"
    return f"{document.source}: {document.licence or 'licence unknown'}"


class Filled(Template):
    """`@{NAME}` is filled in; a `$`, of which programs and shells have their own, is text."""

    delimiter = "@"
