"""Canaries outside, hostile programs inside: what an attack reached is judged here, not by the attack's word alone.

Also a program of its own, so that another user can run it: `python arena.py JSON` prints what became of each attack.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.sandbox.host.sandboxed_environment import ProgramFault, SandboxFailure
from openspade.sandbox.isolation.walls import Walls
from openspade.settings.worlds import SandboxConfig
from openspade.types import Action, Observation, StepResult

ATTACKS = Path(__file__).parent / "attacks"
STEP_S, WALL_FACTOR = 0.2, 5.0
# What the attacks import. A child cannot load it by itself, and an attack should not fail for want of a module.
ARSENAL = tuple(
    "os socket ctypes threading signal tempfile resource select fcntl gc re json subprocess mmap msgspec".split()
)
KERNEL_WALLS = ("seccomp", "landlock", "namespaces")
POLICIES: dict[str, dict[str, bool]] = {
    "all": {},
    "no-namespaces": {"namespaces": False},
    "rlimits+seccomp": {"namespaces": False, "landlock": False},
}
# One kernel wall and nothing else; or a process of its own and none.
_ALONE = {
    name: {wall: wall == name for wall in (*KERNEL_WALLS, "rlimits", "drop_uid")}
    for name in (*KERNEL_WALLS, "host-only")
}
# Without a wall these kill, stop or hobble the judge.
_ONLY_BEHIND_WALLS = ("p05_kill_all", "p07_ptrace_parent", "p15_prlimit_parent")
_SHARED_MEMORY = Path("/dev/shm")
_SEALED = "SEALED-" + "ANSWER-42"
_NEIGHBOUR = f"""
class Env:
    answer = {_SEALED!r}
    def reset(self, seed=None): return "r"
    def step(self, action): return "o", 0.0, False, False, {{}}
"""


@dataclass(frozen=True, kw_only=True)
class Report:
    """How one attack ended: `succeeded` names what it reached, "" when nothing; `seconds` its longest request took."""

    attack: str
    succeeded: str
    ending: str
    seconds: float


class Canaries:
    """Things an attacker would like to touch, and whether they were touched."""

    def __init__(self) -> None:
        # Two runs at once must not take each other's canaries for their own.
        self._name = f"{os.getuid()}-{secrets.token_hex(4)}"
        self._token = f"CANARY-MEM-{secrets.token_hex(8)}"
        self.secret = {"token": self._token}
        self._secret_bytes = ctypes.create_string_buffer(self._token.encode(), 64)
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> Self:
        self.root = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="arena-")))
        os.environ["ARENA_TOKEN"] = f"CANARY-ENV-{secrets.token_hex(8)}"
        for folder in ("victim", "home/.ssh", "scratch"):
            (self.root / folder).mkdir(parents=True)
        self._key = f"KEY-{secrets.token_hex(16)}"
        self._listeners = list(self._listen())
        self._set_out_files()
        self._start_neighbour()
        self._shm = set(_SHARED_MEMORY.iterdir())
        return self

    def __exit__(self, *_: object) -> None:
        del os.environ["ARENA_TOKEN"]
        self._neighbour.kill()
        self._neighbour.wait()
        for listener in self._listeners:
            listener.close()
        self._stack.close()

    def _set_out_files(self) -> None:
        (self.root / "victim" / "file").write_text("precious")
        (self.root / "home" / ".ssh" / "id_rsa").write_text(self._key)
        (self.root / "home" / ".ssh" / "id_rsa").chmod(0o600)
        self._tree = self._look_around()

    def _look_around(self) -> dict[str, tuple[int, int, int]]:
        seen = {}
        for path in sorted(self.root.rglob("*")):
            about = path.lstat()
            seen[str(path)] = (about.st_mode, about.st_size, about.st_mtime_ns)
        return seen

    def _listen(self) -> Iterator[socket.socket]:
        tcp = socket.create_server(("127.0.0.1", 0))
        self.port = tcp.getsockname()[1]
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        udp.bind(("127.0.0.1", self.port))
        abstract, by_path = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
        abstract.bind(f"\0canary-{self._name}")
        by_path.bind(str(self.root / "socket"))
        for listener in (abstract, by_path):
            listener.listen()
        for listener in (tcp, udp, abstract, by_path):
            listener.setblocking(False)
            yield listener

    def _start_neighbour(self) -> None:
        self._neighbour = subprocess.Popen(["/bin/sleep", "3600"], stdin=subprocess.DEVNULL)

    def arm(self, source: str) -> str:
        """An attack with its targets filled in."""
        places = {
            "RUN": str(self.root),
            "UID": self._name,
            "PORT": str(self.port),
            "PPID": str(os.getpid()),
            "CANARY": str(self._neighbour.pid),
            "ROOT": "False",
            "HEAP": hex(ctypes.addressof(self._secret_bytes)),
        }
        for name, value in places.items():
            source = source.replace(f"@{name}@", value)
        return source

    def touched(self) -> str:
        """What has been touched since the last call, "" for nothing; the canaries are set out again."""
        marks = []
        now = self._look_around()
        if now != self._tree:
            marks.append("files changed")
            for extra in sorted(set(now) - set(self._tree), reverse=True):
                Path(extra).rmdir() if Path(extra).is_dir() else Path(extra).unlink()
            self._set_out_files()
        for listener in self._listeners:
            with contextlib.suppress(BlockingIOError):
                listener.recv(100) if listener.type == socket.SOCK_DGRAM else listener.accept()[0].close()
                marks.append("a connection arrived")
        if self._neighbour.poll() is not None:
            marks.append("a neighbour died")
            self._start_neighbour()
        for planted in set(_SHARED_MEMORY.glob(f"canary-{self._name}*")) - self._shm:
            marks.append(str(planted))
            planted.unlink()
        if json.loads(json.dumps({"x": [1.5]})) != {"x": [1.5]} or len((1, 2)) != 2:
            marks.append("the trainer's own modules changed")
        return ", ".join(marks)

    def gives_away(self, text: str) -> str:
        """Whether an observation shows a secret or claims success."""
        if "PWNED" in text:
            return f"it says {text[:80]!r}"
        return "a secret was read" if self._key in text or self._token in text else ""


async def attack(pool: SandboxPool, canaries: Canaries, name: str, world: str = "") -> Report:
    """One attack in a child of its own, from the pool's open to its end."""
    source = canaries.arm((ATTACKS / f"{name}.py").read_text())
    if world:
        source = f"{source}\nimport {world}\n"
    said, ending, seconds = "", "", 0.0
    try:
        async with await pool.open(source) as environment:
            shown: list[Observation | StepResult | ProgramFault] = [*(await environment.reset([0]))]
            began = time.monotonic()
            try:
                shown += (await environment.step({0: Action(text="go")})).values()
            finally:
                seconds = time.monotonic() - began
            said = " ".join(_said(one) for one in shown)
            ending = "ran to its end: " + said[-120:]
    except SandboxFailure as failure:
        ending = f"{type(failure).__name__}: {failure}"
    return Report(attack=name, succeeded=canaries.gives_away(said), ending=ending[:200], seconds=seconds)


def _said(shown: Observation | StepResult | ProgramFault) -> str:
    if isinstance(shown, ProgramFault):
        return f"{shown.kind} {shown.message}"
    return shown.text if isinstance(shown, Observation) else shown.observation.text


async def run_all(policy: str, names: Iterable[str], world: str = "") -> list[Report]:
    """Every attack named, with another program's child as their neighbour; in children that have the given `world`."""
    walls = Walls(import_gate=False, preload=ARSENAL, memory_mb=256, **(POLICIES | _ALONE)[policy])
    config = SandboxConfig(
        workers=2, allow_unconfined=policy in _ALONE, step_timeout_s=STEP_S, open_timeout_s=1.0, wall_factor=WALL_FACTOR
    )
    reports: list[Report] = []
    with Canaries() as canaries:
        async with SandboxPool(config, walls=walls, numpy=True) as pool, await pool.open(_NEIGHBOUR) as neighbour:
            turns = asyncio.Semaphore(4)

            async def take_turn(name: str) -> None:
                async with turns:
                    reports.append(await attack(pool, canaries, name, world))

            async with asyncio.TaskGroup() as group:
                for name in names:
                    if policy != "host-only" or name not in _ONLY_BEHIND_WALLS:
                        group.create_task(take_turn(name))
            # In a child of its own again, where it could find traces of the first.
            reports.extend([await attack(pool, canaries, name) for name in names if name == "i13_state_leak"])
            touched = canaries.touched()
            outlived = isinstance((await neighbour.reset([0]))[0], Observation)
        await asyncio.sleep(0)
    if touched or not outlived:
        ending = touched or "another program's child died"
        reports.append(Report(attack="(all together)", succeeded=ending, ending="", seconds=0.0))
    return reports


def all_attacks() -> list[str]:
    return sorted(path.stem for path in ATTACKS.glob("*.py"))


def main() -> None:
    policy, *names = json.loads(sys.argv[1])
    reports = asyncio.run(run_all(policy, names or all_attacks()))
    sys.stdout.write(json.dumps([asdict(report) for report in reports]))


if __name__ == "__main__":
    main()
