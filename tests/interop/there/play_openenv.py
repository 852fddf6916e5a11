"""Where OpenEnv is: argv is the export's folder; its server is started, played by its client, validated."""

import importlib
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
import warnings
from pathlib import Path

folder = Path(sys.argv[1])
sys.path[:0] = [str(folder.parent), str(Path(__file__).parent)]
import players

warnings.simplefilter("ignore")
package = importlib.import_module(folder.name)
playing = importlib.import_module(f"{folder.name}.environments.playing")
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
url = f"http://127.0.0.1:{port}"
# As the container runs it: `server.app` at top level, in the package's folder.
command = [sys.executable, "-m", "uvicorn", "server.app:app", "--host", "127.0.0.1", "--port", str(port)]
quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
server = subprocess.Popen(command, cwd=folder, env={**os.environ, "PYTHONPATH": str(folder)}, **quiet)


def wait() -> None:
    for _ in range(300):
        try:
            urllib.request.urlopen(f"{url}/health", timeout=1)
            return
        except OSError:
            assert server.poll() is None, "the server ended"
            time.sleep(0.2)


def action(wire):
    if isinstance(wire, str):
        return package.TextAction(text=wire)
    calls = [package.Call(name=call["name"], arguments=call["arguments"]) for call in wire["calls"]]
    return package.TextAction(text=wire["text"], calls=calls)


def episode(client, play, player: str, seed: int) -> float:
    play.begin(seed)
    result = client.reset(design=play.design, seed=seed)
    assert result.observation.tools == play.tools
    total = 0.0
    for wire in players.actions(play, player, result.observation.text):
        result = client.step(action(wire))
        total += result.reward
        if result.done:
            break
    assert abs(total - result.observation.score) < 1e-9
    return result.observation.score


def validated(*arguments: str) -> dict:
    openenv = str(Path(sys.executable).with_name("openenv"))
    done = subprocess.run([openenv, "validate", *arguments, "--json"], capture_output=True, text=True, check=False)
    return json.loads(done.stdout)


try:
    wait()
    scores: dict = {"solution": {}, "naive": {}}
    with package.TextEnv(base_url=url).sync() as client:
        for player, found in scores.items():
            for design in playing.designs():
                play = playing.Play(design)
                found[design] = [episode(client, play, player, seed) for seed in play.facts["seeds"]]
    running = validated("--url", url)
finally:
    server.terminate()
    server.wait(20)
static = validated(str(folder), "--level", "static")
probe = json.loads((folder / "validation" / "runtime.json").read_text())
players.tell(
    {"scores": scores, "static": static["verdict"], "running": running["passed"], "probe": len(probe["actions"])}
)
