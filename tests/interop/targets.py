"""Exports of twenty designs, what they are worth here, and the interpreters of other projects that play them there."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from openspade.credit.outcome import Ending, conclude
from openspade.interop.exporting import Exporting, export
from openspade.sandbox.host.messages import wire_actions
from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.settings.worlds import SandboxConfig
from openspade.types import Action, ToolCall
from tests.interop.there.players import naive

SEEDS = range(8)
STARTER = Path(__file__).parents[2] / "src/openspade/pool/starter"
GAMES = "black_box cipher code_lock dark_cave gear_train heads_and_legs knights missing_tile next_term two_jugs".split()
TASKS = (
    "hotel_desk house_lights invoice_abroad lab_samples locked_archive museum_guide parcel_return slow_bank "
    "stock_room workbench"
).split()
HOMES = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "openspade" / "interop"
Scores = dict[str, dict[str, list[float]]]


def interpreter(target: str) -> Path:
    """Where `make_targets.sh` has put a package; the test is skipped where it has not."""
    python = HOMES / target / "bin" / "python"
    if not (HOMES / target / "installed").exists():
        pytest.skip(f"{target} is not installed: tests/interop/make_targets.sh {target}")
    return python


def run_there(python: Path, script: str, *arguments: object, timeout_s: float = 300) -> dict:
    """What a script of `there/` tells on its last line."""
    command = [str(python), str(Path(__file__).parent / "there" / script), *map(str, arguments)]
    outside = {"PYTHONPATH", "VIRTUAL_ENV"}
    environment = {name: value for name, value in os.environ.items() if name not in outside}
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout_s, check=False, env=environment)
    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-6000:]}"
    return json.loads(done.stdout.strip().splitlines()[-1])


def make_pool(folder: Path, names: Sequence[str] = (*GAMES, *TASKS)) -> Path:
    """A folder of starter programs."""
    folder.mkdir(parents=True)
    for name in names:
        shutil.copy(STARTER / f"{name}.py", folder)
    return folder


def exported(to: str, folder: Path, pool: Path) -> Exporting:
    """The pool as a package."""
    return export(str(pool), to, folder, seeds=SEEDS)


def scores_here(done: Exporting) -> Scores:
    """Returns of both players, design by design and seed by seed, as a playtest counts them."""
    return asyncio.run(_scores(done))


async def _scores(done: Exporting) -> Scores:
    scores: Scores = {"solution": {}, "naive": {}}
    async with SandboxPool(SandboxConfig(workers=1)) as pool:
        for proven in done.proven:
            design = proven.candidate.exported.design
            for player, found in scores.items():
                async with await pool.open(design.source) as environment:
                    found[design.id] = [await _return(environment, design, player, seed) for seed in SEEDS]
    return scores


async def _return(environment, design, player: str, seed: int) -> float:
    (first,) = await environment.reset([seed])
    plan = wire_actions(design.kind, (await environment.plan())[0])
    rewards, ending = [], Ending.TURNS
    for turn in range(len(plan) if player == "solution" else design.max_turns):
        tools = list(environment.description.tools)
        action = plan[turn] if player == "solution" else naive(first.text, turn, tools)
        result = (await environment.step({0: _action(action)}))[0]
        rewards.append(result.reward)
        if result.terminated:
            ending = Ending.TERMINATED
            break
    return conclude(ending, rewards, "last")[1]


def _action(wire) -> Action:
    if isinstance(wire, str):
        return Action(text=wire)
    return Action(text=wire["text"], calls=tuple(ToolCall(**call) for call in wire["calls"]))


OURS = Path(sys.executable)
