"""Where verifiers 0.1 is: argv is the export's folder; prints scores of rollouts with a stub model."""

import asyncio
import importlib
import json
import os
import sys
from pathlib import Path

sys.path[:0] = [sys.argv[1], str(Path(__file__).parent)]
import players
import stub_model
import verifiers as vf
from solver import Solver

package = importlib.import_module(Path(sys.argv[1]).name)
os.environ["NO_KEY"] = "none"


async def rollout(environment, client, row: dict, player: str) -> float:
    info = json.loads(row["info"])
    system, *rest = row["prompt"]
    marked = {**system, "content": f"{system['content']} [{player} {info['design']} {info['seed']}]"}
    state = await environment.rollout({**row, "prompt": [marked, *rest]}, client, "stub")
    assert state["error"] is None, state["error"]
    await environment.rubric.score_rollout(state)
    return state["reward"]


async def main() -> None:
    environment = package.load_environment()
    client = vf.ClientConfig(api_key_var="NO_KEY", api_base_url=stub_model.serve(Solver(package.__name__)))
    scores: dict = {}
    for player in ("solution", "naive"):
        found = scores[player] = {}
        for row in environment.get_dataset():
            design = json.loads(row["info"])["design"]
            found.setdefault(design, []).append(await rollout(environment, client, dict(row), player))
    assert not environment.plays, "every program was given back"
    players.tell({"scores": scores})


asyncio.run(main())
