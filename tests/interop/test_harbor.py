"""An export for Harbor: loaded and linted by Harbor, its commands run without a container."""

import json
import shlex
import shutil
import subprocess
import sys

from tests.interop.targets import SEEDS, exported, interpreter, run_there
from tests.interop.there.players import naive


def test_harbor_loads_and_lints_every_task(twenty, tmp_path):
    exported("harbor", tmp_path / "harbor_envs", twenty)
    told = run_there(interpreter("harbor"), "load_harbor.py", tmp_path / "harbor_envs")
    assert (told["tasks"], told["lint"]) == (160, 0), told["said"]


def _runs(folder, name, *words):
    done = subprocess.run([sys.executable, str(folder / name), *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _here(task, folder):
    """The task's two sides with a log that can be written without root."""
    sides = {side: folder / side for side in ("environment", "tests")}
    for side, place in sides.items():
        shutil.copytree(task / side / "game", place)
        instance = json.loads((place / "instance.json").read_text())
        (place / "instance.json").write_text(json.dumps({**instance, "log": str(folder / "log.jsonl")}))
    return sides


def _commands(task, player, design):
    if player == "solution":
        lines = (task / "solution/solve.sh").read_text().splitlines()[1:]
        return [shlex.split(line)[2:] for line in lines]
    first = (task / "instruction.md").read_text()
    moves = [naive(first, turn, design["tools"]) for turn in range(design["max_turns"])]
    return [
        [move]
        if isinstance(move, str)
        else ["--call", move["calls"][0]["name"], json.dumps(move["calls"][0]["arguments"])]
        for move in moves
    ]


def test_solve_sh_wins_and_knowing_nothing_does_not(twenty, tmp_path):
    exported("harbor", tmp_path / "harbor_envs", twenty)
    tasks = sorted((tmp_path / "harbor_envs/tasks").iterdir())[:: len(SEEDS)]
    design_of = {task: json.loads((task / "tests/game/environments/designs.jsonl").read_text()) for task in tasks}
    for player, score in (("solution", 1.0), ("naive", 0.0)):
        for task in tasks[::5]:
            sides = _here(task, tmp_path / player / task.name)
            for words in _commands(task, player, design_of[task]):
                _runs(sides["environment"], "play.py", *words)
            assert float(_runs(sides["tests"], "grade.py")) == score
