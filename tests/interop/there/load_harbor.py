"""Where Harbor is: argv is the export's folder; every task is loaded, and two are linted."""

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import players
from harbor.models.task.task import Task

tasks = sorted((Path(sys.argv[1]) / "tasks").iterdir())
loaded = [Task(task) for task in tasks]
assert all(task.config.verifier.environment_mode.value == "separate" for task in loaded)
harbor = str(Path(sys.executable).with_name("harbor"))
linted = subprocess.run([harbor, "lint", str(tasks[0]), str(tasks[-1])], capture_output=True, text=True, check=False)
players.tell({"tasks": len(loaded), "lint": linted.returncode, "said": linted.stdout[-2000:] + linted.stderr[-2000:]})
