"""`generate` against a server of this machine that answers as servers do."""

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from openspade.memory.memory import Memory
from openspade.settings.worlds import MemoryConfig

ROOT = Path(__file__).parents[2]
GOOD = (ROOT / "examples" / "environments" / "buried_treasure.py").read_text(encoding="utf-8")
Answer = tuple[int, object]


def said(content: object, finish: str = "stop") -> Answer:
    return 200, {"choices": [{"message": {"content": content}, "finish_reason": finish}]}


@contextmanager
def serving(answer: Callable[[int, dict], Answer]) -> Iterator[str]:
    counter, lock = iter(range(1, 10_000)), threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                status, body = answer(next(counter), asked)
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()


def openspade(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "openspade", *words], cwd=cwd, capture_output=True, text=True, check=False
    )


def program(number: int) -> str:
    return f"```python\n{GOOD.replace('beach', f'beach of kind {number}')}```"


@pytest.mark.parametrize(
    ("bad", "gate"),
    [
        ((400, {"error": {"message": "the prompt was filtered"}}), "There was no reply"),
        (said([{"type": "text", "text": program(3)}]), ""),
    ],
)
def test_one_bad_answer_costs_its_draft(bad: Answer, gate: str, tmp_path: Path) -> None:
    with serving(lambda number, _: bad if number == 3 else said(program(number))) as url:
        done = openspade(
            "generate", "--endpoint", url, "--model", "m", "-n", "8", "gates.max_similarity=1.0", cwd=tmp_path
        )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("✓") + done.stdout.count("✗") == 8
    assert gate in done.stdout


def test_replies_may_be_long_and_a_cut_one_names_the_setting(tmp_path: Path) -> None:
    lengths: set[int] = set()

    def answer(number: int, asked: dict) -> Answer:
        lengths.add(asked["max_tokens"])
        return said("```python\nclass", "length") if number == 2 else said(program(number))

    with serving(answer) as url:
        done = openspade("generate", "--endpoint", url, "--model", "m", "-n", "2", cwd=tmp_path)
    assert lengths == {8192}
    assert "1 replies were cut at designer.max_tokens=8192" in done.stdout


def test_what_a_dead_server_left_is_kept_and_gone_on_with(tmp_path: Path) -> None:
    with serving(lambda number, _: said(program(number)) if number <= 8 else (401, {"error": "key"})) as url:
        done = openspade("generate", "--endpoint", url, "--model", "m", "-n", "12", cwd=tmp_path)
    assert done.returncode == 4 and "--resume runs/generated" in done.stderr and "Traceback" not in done.stderr
    with serving(lambda number, _: said(program(100 + number))) as url:
        more = ("--resume", "runs/generated", "-n", "12")
        done = openspade("generate", "--endpoint", url, "--model", "m", *more, cwd=tmp_path)
    assert done.returncode == 0 and "of 12 accepted" in done.stdout
    with Memory.open(tmp_path / "runs" / "generated" / "openspade.db", MemoryConfig(), readonly=True) as memory:
        assert sum(len(memory.reread(cycle)[0]) for cycle in range(memory.last_cycle() + 1)) == 12
