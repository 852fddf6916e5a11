"""OpenEnv: a server that plays any of the designs, its client, and what `openenv validate` wants to know."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

from openspade.interop.package import Export, Target, fill, fill_readme, write_json, write_module
from openspade.tokens import JSON

COPIED = ("models.py", "client.py", "pyproject.toml", "server/app.py", "server/environment.py")
PLAIN = ("server/Dockerfile", "server/requirements.txt")


def lay_out(export: Export, folder: Path) -> None:
    """The folder is the package itself, as `openenv init` makes it."""
    write_module(export, folder / "environments")
    docstring = '"""The designs, and how they are played."""\n'
    (folder / "environments" / "__init__.py").write_text(docstring, encoding="utf-8")
    for name in (*COPIED, *PLAIN):
        fill(f"openenv/{name}", folder / name, export)
    fill("openenv/package.py", folder / "__init__.py", export)
    (folder / "server" / "__init__.py").write_text('"""The server."""\n', encoding="utf-8")
    designs = [one.candidate for one in export.proven]
    ids = "".join(one.exported.design.id for one in designs)
    fill(
        "openenv/openenv.yaml",
        folder / "openenv.yaml",
        export,
        SEED=str(export.proven[0].instances[0].seed),
        VERSION=hashlib.sha256(ids.encode()).hexdigest()[:16],
        GENERATOR=f"openspade, {designs[0].provenance.run}" if designs[0].provenance else "openspade",
    )
    (folder / "validation").mkdir()
    write_json(folder / "validation" / "runtime.json", _probe(export))
    fill_readme("openenv/README.md", folder, export)


def _probe(export: Export) -> dict[str, JSON]:
    """The first design's solution, as the validator plays it."""
    first = export.proven[0]
    instance = first.instances[0]
    reset: dict[str, JSON] = {
        "episode_id": "solution",
        "seed": instance.seed,
        "options": {"design": first.candidate.exported.design.id},
    }
    return {"plan_schema_version": "1", "reset": reset, "actions": [_action(one) for one in instance.solution]}


def _action(action: object) -> dict[str, JSON]:
    if isinstance(action, str):
        return {"text": action}
    wire = cast("Mapping[str, object]", action)
    calls = cast("Sequence[Mapping[str, JSON]]", wire["calls"])
    named: list[JSON] = [{"name": call["name"], "arguments": call["arguments"]} for call in calls]
    return {"text": str(wire["text"]), "calls": named}


TARGET = Target(title="OpenEnv", lay_out=lay_out, needs="openenv>=0.10", taken=frozenset({"openenv", "environments"}))
