"""In an interpreter that has NeMo Gym: argv is the export's folder; prints scores through its test client."""

import importlib
import json
import sys
import warnings
from pathlib import Path
from unittest.mock import MagicMock

folder = Path(sys.argv[1])
sys.path[:0] = [sys.argv[1], str(Path(__file__).parent)]
import players
import yaml
from fastapi.testclient import TestClient
from nemo_gym.base_resources_server import BaseResourcesServerConfig
from nemo_gym.server_utils import ServerClient

warnings.simplefilter("ignore")
module = folder.name
app = importlib.import_module(f"resources_servers.{module}.app")
playing = importlib.import_module(f"resources_servers.{module}.environments.playing")
config = yaml.safe_load((folder / f"resources_servers/{module}/configs/{module}.yaml").read_text())
rows = [
    json.loads(line) for line in (folder / f"resources_servers/{module}/data/example.jsonl").read_text().splitlines()
]
server = app.TextServer(
    config=BaseResourcesServerConfig(host="", port=0, entrypoint="app.py", name=module),
    server_client=MagicMock(spec=ServerClient),
)


def response(action) -> dict:
    words = action if isinstance(action, str) else action["text"]
    part = {"type": "output_text", "text": words, "annotations": []}
    output = [{"id": "m", "type": "message", "role": "assistant", "status": "completed", "content": [part]}]
    for place, call in enumerate([] if isinstance(action, str) else action["calls"]):
        arguments = json.dumps(call["arguments"])
        output.append({"type": "function_call", "call_id": f"c{place}", "name": call["name"], "arguments": arguments})
    settings = {"parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
    return {"id": "r", "created_at": 0.0, "model": "stub", "object": "response", "output": output, **settings}


def episode(client, row: dict, player: str) -> float:
    play = playing.Play(row["design"])
    play.begin(row["seed"])
    first = client.post("/reset", json=row).raise_for_status().json()["observation"]
    total = 0.0
    for action in players.actions(play, player, first):
        told = client.post("/step", json={**row, "response": response(action)}).raise_for_status().json()
        total += told["reward"]
        calls = [] if isinstance(action, str) else action["calls"]
        assert len(told["info"]["tool_outputs"]) == len(calls)
        if told["terminated"] or told["truncated"]:
            break
    assert abs(total - told["info"]["score"]) < 1e-9
    return told["info"]["score"]


scores: dict = {"solution": {}, "naive": {}}
for player, found in scores.items():
    for row in rows:
        with TestClient(server.setup_webserver()) as client:
            found.setdefault(row["design"], []).append(episode(client, row, player))
agent = config[f"{module}_agent"]["responses_api_agents"]["gymnasium_agent"]
assert not server.session_state
players.tell({"scores": scores, "steps": agent["max_steps"]})
