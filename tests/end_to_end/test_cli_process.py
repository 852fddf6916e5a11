"""What only a process of its own shows: exit codes, standard error, signals, a server to talk to."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TUTORIAL = str(ROOT / "recipes" / "tutorial.toml")
COMMAND = [sys.executable, "-m", "openspade"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONUNBUFFERED": "1"}
GOOD = (ROOT / "examples" / "environments" / "small_change.py").read_text()
REPLIES = (f"Here it is.\n```python\n{GOOD}```", "I would rather not.", "```python\nclass Half(Game):\n```", "")


def openspade(*words: str | Path, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    command = [*COMMAND, *map(str, words)]
    return subprocess.run(
        command, capture_output=True, text=True, env=ENVIRONMENT, cwd=folder, timeout=120, check=False
    )


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["train", "nowhere.toml"], 2, "nowhere.toml cannot be read"),
        (["train", TUTORIAL, "cycle.draft=3"], 2, "unknown setting cycle.draft"),
        (["check", "nowhere.py"], 2, "nowhere.py is not there"),
        (["play", "0123456789abcdef"], 2, "neither a file nor the beginning of a design's id"),
        (["report", "nowhere"], 5, "there is no database"),
        (["resume", "nowhere"], 2, "holds no run"),
    ],
)
def test_what_is_wrong_is_said_without_a_traceback(words: list[str], code: int, said: str, tmp_path: Path):
    result = openspade(*words, folder=tmp_path)
    assert result.returncode == code
    assert said in " ".join(result.stderr.split())
    assert "Traceback" not in result.stderr


def test_a_run_that_cannot_start_leaves_nothing_behind(tmp_path: Path):
    result = openspade("train", TUTORIAL, f"run.directory={tmp_path}", "corpus.enabled=true", "corpus.path=nowhere")
    assert result.returncode == 2
    assert list(tmp_path.iterdir()) == []


def test_a_reader_who_leaves_early_is_no_error():
    shown = subprocess.run(
        f"{sys.executable} -m openspade config show | head -1; echo ${{PIPESTATUS[0]}}",
        shell=True, executable="/bin/bash", capture_output=True, text=True, env=ENVIRONMENT, check=False,
    )  # fmt: skip
    assert shown.stderr == ""


def test_the_core_starts_without_torch():
    code = "import sys; from openspade.cli import main; assert 'torch' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], env=ENVIRONMENT, check=False).returncode == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_one_signal_stops_after_the_cycle_and_the_run_goes_on_later(number: int, tmp_path: Path):
    settings = [f"run.directory={tmp_path}", "run.cycles=200", "cycle.briefs=2", "playtest.seeds=2"]
    command = [*COMMAND, "train", TUTORIAL, "--json", *settings]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT, start_new_session=True
    ) as training:
        assert training.stdout
        training.stdout.readline()
        # As a terminal does: Ctrl-C reaches every process of the group.
        os.killpg(training.pid, number)
        rest = training.stdout.read().splitlines()
    assert training.returncode == 128 + number
    resumed = openspade("resume", tmp_path / "tutorial", "--cycles", str(len(rest) + 2), "--json")
    assert json.loads(resumed.stdout.splitlines()[0])["cycle"] == len(rest) + 1


@pytest.fixture
def server() -> Iterator[str]:
    """A model server that gives prepared completions in turn, some of them broken."""
    turn = count()

    class Answers(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            message = {"role": "assistant", "content": REPLIES[next(turn) % len(REPLIES)]}
            body = json.dumps({"choices": [{"message": message, "finish_reason": "stop"}]}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as listening:
        thread = threading.Thread(target=listening.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{listening.server_port}/v1"
        listening.shutdown()
        thread.join()


def test_designs_from_a_server_are_gated_and_kept(server: str, tmp_path: Path):
    settings = [f"run.directory={tmp_path}", "corpus.enabled=false"]
    result = openspade("generate", "--endpoint", server, "--model", "m", "-n", "10", "--json", *settings)
    drafts = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.returncode == 0, result.stderr
    assert len(drafts) == 10
    # The same program comes back; only its first copy is new.
    assert sum(draft["accepted"] for draft in drafts) == 1
    assert {draft["gate"] for draft in drafts} >= {"parses", "novel"}
    assert (tmp_path / "generated" / "openspade.db").exists()
