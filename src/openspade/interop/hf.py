"""Hugging Face: a dataset whose schema is the same for every export, and the programs beside it, ready to be played."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path

from openspade.interop.package import Export, Target, facts, fill_readme, write_module, write_rows
from openspade.interop.proof import Proven
from openspade.tokens import JSON

_TEXT, _NUMBER, _COUNT = "string", "float64", "int64"
DESIGNS: Mapping[str, str] = {
    **dict.fromkeys("id key title skill asked_skill kind code sha256 tools run gates".split(), _TEXT),
    **dict.fromkeys("max_turns cycle policy_version plays line_count byte_count".split(), _COUNT),
    **dict.fromkeys("solve_rate solve_rate_low solve_rate_high hinted_solve_rate".split(), _NUMBER),
    **dict.fromkeys("regret regret_low regret_high".split(), _NUMBER),
    **dict.fromkeys("doc_id doc_source doc_version license".split(), _TEXT),
}
INSTANCES: Mapping[str, str] = {"design": _TEXT, "seed": _COUNT, "first_observation": _TEXT, "solution": _TEXT}
HINTS: Mapping[str, str] = {"id": _TEXT, "hint": _TEXT}


def lay_out(export: Export, folder: Path) -> None:
    """A dataset's folder; `environments/` plays the programs."""
    write_module(export, folder / "environments")
    (folder / "environments" / "__init__.py").write_text('"""The designs."""\n', encoding="utf-8")
    tables = {
        "designs": (DESIGNS, [_design(proven, export.source) for proven in export.proven]),
        "instances": (INSTANCES, list(_instances(export))),
        "hints": (HINTS, [_hint(proven) for proven in export.proven]),
    }
    for name, (schema, rows) in tables.items():
        assert all(list(row) == list(schema) for row in rows), name
        write_rows(folder / "data" / f"{name}.jsonl", rows)
    features = "\n".join(_features(name, schema) for name, (schema, _) in tables.items())
    fill_readme("hf/README.md", folder, export, FEATURES=features)


def _design(proven: Proven, source: str) -> dict[str, JSON]:
    known, design = facts(proven, source), proven.candidate.exported.design
    document = proven.candidate.exported.document
    measured = {
        "solve_rate": proven.candidate.solve_rate_interval,
        "regret": proven.candidate.regret_interval,
    }
    ends = {
        f"{name}_{end}": math.nan if interval is None else interval[place]
        for name, interval in measured.items()
        for place, end in enumerate(("low", "high"))
    }
    row: dict[str, JSON] = {
        **known,
        **ends,
        "code": design.source,
        "tools": json.dumps(known["tools"], ensure_ascii=False),
        "gates": json.dumps(known["gates"], ensure_ascii=False),
        "line_count": len(design.source.splitlines()),
        "byte_count": len(design.source.encode()),
        "run": known["run"] or "",
        "cycle": -1 if known["cycle"] is None else known["cycle"],
        "doc_id": document.id if document else "",
        "doc_source": document.source if document else "",
        "doc_version": document.version if document else "",
        "license": document.licence if document else "",
    }
    return {name: _measured(row[name]) for name in DESIGNS}


def _measured(value: JSON) -> JSON:
    return math.nan if value is None else value


def _instances(export: Export) -> Iterable[dict[str, JSON]]:
    for proven in export.proven:
        for instance in proven.instances:
            yield {
                "design": proven.candidate.exported.design.id,
                "seed": instance.seed,
                "first_observation": instance.first_observation,
                "solution": json.dumps(instance.solution, ensure_ascii=False),
            }


def _hint(proven: Proven) -> dict[str, JSON]:
    design = proven.candidate.exported.design
    return {"id": design.id, "hint": design.hint}


def _features(name: str, schema: Mapping[str, str]) -> str:
    lines = [f"- config_name: {name}", "  features:"]
    for column, kind in schema.items():
        lines += [f"  - name: {column}", f"    dtype: {kind}"]
    return "\n".join(lines)


TARGET = Target(title="Hugging Face", lay_out=lay_out, needs="datasets", taken=frozenset({"datasets"}))
