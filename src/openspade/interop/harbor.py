"""Harbor: a task a design and seed, played through one command, graded by playing its log of actions again."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

from openspade.interop.package import Export, Target, facts, fill, fill_readme, key_of, write_json, write_module
from openspade.interop.proof import Instance, Proven

LOG = "/var/lib/play/actions.jsonl"
_GAME = "You play a game in text. `sudo play 'MOVE'` makes a move and shows what happens; `sudo play` shows it again."
_TASK = (
    "You work for a user by calling tools. `sudo play --call TOOL '{\"argument\": ...}'` calls one, "
    "`sudo play 'WORDS'` says something to the user, `sudo play` shows the last answer again. "
    "The next request follows when the current one is done. `decline` is for what no tool can do."
)


def lay_out(export: Export, folder: Path) -> None:
    """A folder `tasks` of tasks."""
    for proven in export.proven:
        for instance in proven.instances:
            key = f"{key_of(proven.candidate.exported.design)}_{instance.seed}"
            _task(replace(export, proven=(proven,)), instance, folder / "tasks" / key)
    fill_readme("harbor/README.md", folder, export)


def _task(export: Export, instance: Instance, task: Path) -> None:
    (proven,) = export.proven
    for place in ("environment", "tests"):
        write_module(export, task / place / "game" / "environments")
        fill("harbor/play.py", task / place / "game" / "play.py", export)
        named = {"design": proven.candidate.exported.design.id, "seed": instance.seed, "log": LOG}
        write_json(task / place / "game" / "instance.json", {**named})
    fill("harbor/grade.py", task / "tests" / "game" / "grade.py", export)
    fill("harbor/Dockerfile", task / "environment" / "Dockerfile", export)
    fill("harbor/tests.Dockerfile", task / "tests" / "Dockerfile", export)
    fill("harbor/test.sh", task / "tests" / "test.sh", export)
    (task / "solution").mkdir()
    moves = [line for action in instance.solution for line in _commands(action)]
    (task / "solution" / "solve.sh").write_text("\n".join(["#!/bin/sh", *moves]) + "\n", encoding="utf-8")
    for script in (task / "tests" / "test.sh", task / "solution" / "solve.sh"):
        script.chmod(0o755)
    (task / "instruction.md").write_text(_instruction(proven, instance), encoding="utf-8")
    (task / "task.toml").write_text(_settings(export, instance), encoding="utf-8")


def _commands(action: object) -> list[str]:
    if isinstance(action, str):
        return [f"sudo play {shlex.quote(action)}"]
    wire = cast("Mapping[str, object]", action)
    calls = cast("Sequence[Mapping[str, object]]", wire["calls"])
    said = [f"sudo play {shlex.quote(str(wire['text']))}"] if wire["text"] else []
    return [
        *(
            f"sudo play --call {shlex.quote(str(one['name']))} {shlex.quote(json.dumps(one['arguments']))}"
            for one in calls
        ),
        *said,
    ]


def _instruction(proven: Proven, instance: Instance) -> str:
    tools = "".join(f"\n```json\n{json.dumps(tool['function'], ensure_ascii=False)}\n```\n" for tool in proven.tools)
    return f"{_TASK if proven.tools else _GAME}\n{tools}\n{instance.first_observation}\n"


def _settings(export: Export, instance: Instance) -> str:
    (proven,) = export.proven
    known = facts(proven, export.source)
    told = {name: known[name] for name in ("id", "skill", "kind", "run", "cycle", "solve_rate", "regret", "max_turns")}
    told |= {"seed": instance.seed, "openspade": json.dumps(known, ensure_ascii=False)}
    name = f"{export.name}/{key_of(proven.candidate.exported.design)}-{instance.seed}".replace("_", "-")
    return "\n".join(
        [
            'schema_version = "1.4"',
            f'artifacts = ["{LOG}"]',
            "",
            "[task]",
            f"name = {json.dumps(name)}",
            f"description = {json.dumps(str(known['title']))}",
            "",
            "[metadata]",
            # TOML has no null: what was never measured is left out.
            *(f"{key} = {json.dumps(value)}" for key, value in told.items() if value is not None),
            "",
            "[agent]",
            "timeout_sec = 600.0",
            'user = "agent"',
            "",
            "[verifier]",
            "timeout_sec = 120.0",
            'environment_mode = "separate"',
            "",
            "[verifier.environment]",
            'network_mode = "no-network"',
            "",
            "[environment]",
            'network_mode = "no-network"',
            "cpus = 1",
            "memory_mb = 1024",
            "",
        ]
    )


TARGET = Target(title="Harbor", lay_out=lay_out, needs="harbor>=0.26", taken=frozenset({"harbor"}))
