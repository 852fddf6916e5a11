"""NeMo Gym: a resources server with Gymnasium's interface, its configuration, and a row a design and seed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from openspade.interop.package import Export, Target, fill, fill_readme, write_module, write_rows
from openspade.roles.prompts import Prompts
from openspade.tokens import JSON


def lay_out(export: Export, folder: Path) -> None:
    """A folder for NeMo Gym's `resources_servers/`."""
    server = folder / "resources_servers" / export.module
    write_module(export, server / "environments")
    for place, docstring in ((server, "The server."), (server / "environments", "The designs.")):
        (place / "__init__.py").write_text(f'"""{docstring}"""\n', encoding="utf-8")
    fill("nemo-gym/app.py.txt", server / "app.py", export)
    steps = max(proven.candidate.exported.design.max_turns for proven in export.proven)
    fill("nemo-gym/config.yaml", server / "configs" / f"{export.module}.yaml", export, MAX_STEPS=str(steps))
    (server / "requirements.txt").write_text("-e nemo-gym[dev] @ ../../\n", encoding="utf-8")
    write_rows(server / "data" / "example.jsonl", _rows(export))
    fill_readme("nemo-gym/README.md", folder, export)
    fill_readme("nemo-gym/README.md", server, export)


def _rows(export: Export) -> Iterable[dict[str, JSON]]:
    prompts = Prompts("full")
    for proven in export.proven:
        design = proven.candidate.exported.design
        # The observation comes with the reset.
        system = prompts.play("", kind=design.kind, hint=None)[0].content
        for instance in proven.instances:
            yield {
                "responses_create_params": {
                    "input": [{"role": "system", "content": system}],
                    "tools": [_function(tool) for tool in proven.tools],
                },
                "design": design.id,
                "seed": instance.seed,
                "agent_ref": {"type": "responses_api_agents", "name": f"{export.module}_agent"},
            }


def _function(tool: Mapping[str, JSON]) -> dict[str, JSON]:
    """A tool in the form of the Responses API."""
    function = tool["function"]
    assert isinstance(function, dict), "openspade_env makes them so"
    return {"type": "function", "strict": False, **function}


TARGET = Target(
    title="NeMo Gym", lay_out=lay_out, needs="nemo-gym>=0.4", taken=frozenset({"nemo_gym", "resources_servers"})
)
