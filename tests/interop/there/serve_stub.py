"""Serves a stub model that knows an export's solutions, runs a command with its URL in it, and tells how that went.

argv: the export's folder, `calls` or `messages`, then the command, in which URL stands for the stub's address.
"""

import os
import subprocess
import sys
from pathlib import Path

sys.path[:0] = [sys.argv[1], str(Path(__file__).parent)]
import players
import stub_model
from solver import Solver

module, home = Path(sys.argv[1]).name, Path(sys.prefix)
url = stub_model.serve(Solver(module, one_call_a_message=sys.argv[2] == "calls"))
command = [part.replace("URL", url) for part in sys.argv[3:]]
environment = {
    **os.environ,
    "PATH": os.pathsep.join([str(home / "bin"), str(home.parent / "tools" / "bin"), os.environ["PATH"]]),
    "PYTHONPATH": os.pathsep.join(sys.path[:2]),
    "EXPORTED": module,
    "NO_KEY": "none",
}
done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
players.tell({"rc": done.returncode, "output": (done.stdout + done.stderr)[-20_000:]})
