"""What holds generated code on this machine: each wall is witnessed by a probe under that wall alone, none inferred."""

from __future__ import annotations

import asyncio
import os
import platform
import statistics
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from openspade.errors import SandboxError
from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.sandbox.host.sandboxed_environment import DeadlineExceeded, ProgramFault, SandboxFailure
from openspade.sandbox.isolation.walls import Walls, grade
from openspade.settings.worlds import SandboxConfig
from openspade.types import Action

_STEP_S = 0.3
_RUNNABLE = "ABC"
_NO_WALLS = Walls(
    rlimits=False,
    no_new_privs=False,
    seccomp=False,
    landlock=False,
    namespaces=False,
    seatbelt=False,
    drop_uid=False,
    import_gate=False,
    memory_mb=128,
    preload=("os", "socket", "ctypes"),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Wall:
    """One wall: what it must stop, whether it did, and if not why and what to do."""

    name: str
    stops: str
    holds: bool
    reason: str = ""
    advice: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class MachineReport:
    """`grade` A to F, as in docs/sandbox.md; `exit_code` is 1 below C. Speeds are 0 where nothing runs."""

    grade: str
    meaning: str
    exit_code: int
    walls: tuple[Wall, ...]
    facts: Mapping[str, str]
    open_ms: float = 0.0
    steps_per_s: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class _Probe:
    stops: str
    body: str
    walls: Mapping[str, bool]
    advice: str
    system: str = ""


MEANINGS = {
    "A": "held by the kernel, three times over",
    "B": "held by the kernel; no namespaces, as usual inside containers",
    "C": "held by the kernel with one wall, seccomp",
    "D": "macOS: Seatbelt only, for development; not tested",
    "F": "not confined: OpenSPADE refuses to run generated code here",
}
_OPEN_A_FILE = """
import os
try: os.open("/dev/null", 0)
except PermissionError: return True
return False
"""
PROBES = {
    "seccomp": _Probe(
        stops="sockets, opened files, forks",
        body="""
import os, socket
def quietly(call):
    try: call()
    except PermissionError: return 1
    return 0
return 3 == sum(map(quietly, (socket.socket, lambda: os.open("/", 0), lambda: os.fork() or os._exit(0))))
""",
        walls={"seccomp": True, "no_new_privs": True},
        advice="needs a kernel with CONFIG_SECCOMP_FILTER on x86_64 or aarch64",
        system="Linux",
    ),
    "landlock": _Probe(
        stops="opening any file",
        body=_OPEN_A_FILE,
        walls={"landlock": True, "no_new_privs": True},
        advice="needs Linux 5.13 with landlock in its lsm= list; gVisor (Colab, Modal, GKE Sandbox) has none",
        system="Linux",
    ),
    "namespaces": _Probe(
        stops="naming any file or process",
        body="""
import os
try: return os.listdir("/") == [] and os.getppid() <= 1
except OSError: return False
""",
        walls={"namespaces": True},
        advice="containers refuse unshare(2) and B is what they give; on Ubuntu 24.04 see "
        "sysctl kernel.apparmor_restrict_unprivileged_userns",
        system="Linux",
    ),
    "seatbelt": _Probe(
        stops="opening any file",
        body=_OPEN_A_FILE,
        walls={"seatbelt": True},
        advice="macOS did not take the profile",
        system="Darwin",
    ),
    "rlimits": _Probe(
        stops="a gigabyte of memory",
        body="""
try: bytearray(1 << 30)
except MemoryError: return True
return False
""",
        walls={"rlimits": True},
        advice="the kernel refuses RLIMIT_AS",
    ),
    "deadline": _Probe(
        stops="an endless loop",
        body="""
while True: pass
""",
        walls={},
        advice="the child could not be killed: report this",
    ),
}


async def examine_machine() -> MachineReport:
    """Tries every wall of this machine; takes about two seconds."""
    system = platform.system()
    if system not in ("Linux", "Darwin"):
        return MachineReport(grade="F", meaning=MEANINGS["F"], exit_code=1, walls=(), facts=machine_facts())
    names = [name for name, probe in PROBES.items() if probe.system in ("", system)]
    walls = tuple(await asyncio.gather(*(witness(name) for name in names)))
    holding = {wall.name: wall.holds for wall in walls}
    # The filter cannot be had without it, so a filter that was witnessed is its witness.
    holding["no_new_privs"] = holding.get("seccomp", False)
    letter = grade(holding, system) if holding["deadline"] else "F"
    runs = letter in _RUNNABLE
    open_ms, steps_per_s = await _measured() if runs else (0.0, 0.0)
    return MachineReport(
        grade=letter,
        meaning=MEANINGS[letter],
        exit_code=0 if runs else 1,
        walls=walls,
        facts=machine_facts(),
        open_ms=round(open_ms, 1),
        steps_per_s=round(steps_per_s),
    )


async def witness(name: str, *, walls: Mapping[str, bool] | None = None) -> Wall:
    """Runs the wall's probe under that wall alone, or under `walls`."""
    probe = PROBES[name]
    asked = Walls(**{**_as_settings(_NO_WALLS), **(probe.walls if walls is None else walls)})
    reason = await _why_open(name, probe, asked)
    return Wall(name=name, stops=probe.stops, holds=not reason, reason=reason, advice=probe.advice if reason else "")


async def _why_open(name: str, probe: _Probe, asked: Walls) -> str:
    config = SandboxConfig(workers=1, require=(), step_timeout_s=_STEP_S, open_timeout_s=_STEP_S, allow_unconfined=True)
    body = "\n".join(f"  {line}" for line in probe.body.strip().splitlines())
    source = (
        f"def shut():\n{body}\n"
        "class Probe:\n def reset(self, seed=None): return 'shut' if shut() else 'open'\n"
        " def step(self, action): pass\n"
    )
    try:
        async with SandboxPool(config, walls=asked, warm=0) as pool, await pool.open(source) as environment:
            (shown,) = await environment.reset([0])
            if isinstance(shown, ProgramFault):
                return f"the probe failed: {shown.message}"
            if shown.text == "shut":
                return ""
            state = pool.walls.get(name, "it did not stop the probe")
            return state if state != "on" else "set up, but it did not stop the probe"
    except DeadlineExceeded as overrun:
        return "" if name == "deadline" else str(overrun)
    except (SandboxFailure, SandboxError) as failure:
        return f"{type(failure).__name__}: {failure}"


def _as_settings(walls: Walls) -> dict[str, object]:
    return {name: getattr(walls, name) for name in Walls.__dataclass_fields__}


async def _measured() -> tuple[float, float]:
    """Milliseconds from a program's text to its first step, and steps a second of 32 instances in one child."""
    source = (
        "class Probe:\n def reset(self, seed=None): return 'r'\n"
        " def step(self, action): return 'o', 0.0, False, False, {}\n"
    )
    moves = {index: Action(text="x") for index in range(32)}
    opening_ms: list[float] = []
    async with SandboxPool(SandboxConfig(workers=1), warm=0) as pool:
        for _ in range(7):
            began = time.perf_counter()
            async with await pool.open(source) as environment:
                await environment.reset([0])
                await environment.step({0: moves[0]})
                opening_ms.append((time.perf_counter() - began) * 1e3)
        async with await pool.open(source, instances=len(moves)) as environment:
            await environment.reset(range(len(moves)))
            began, steps = time.perf_counter(), 0
            while time.perf_counter() - began < _STEP_S:
                steps += len(await environment.step(moves))
            steps_per_s = steps / (time.perf_counter() - began)
    return statistics.median(opening_ms), steps_per_s


def machine_facts() -> dict[str, str]:
    """What one would ask first when a wall is missing."""
    facts = {
        "system": platform.system(),
        "kernel": platform.release(),
        "machine": platform.machine(),
        "python": platform.python_version(),
    }
    if platform.system() == "Windows":
        return {**facts, "advice": "use WSL 2: Windows has no walls that hold generated code"}
    facts["uid"] = str(os.getuid())
    if platform.system() != "Linux":
        return facts
    from openspade.sandbox.isolation import linux  # noqa: PLC0415  (only Linux has these doors)

    return facts | {
        "landlock_abi": str(linux.landlock_abi()),
        "pidfd": "yes" if _has_pidfd() else "no",
        "gvisor": "yes" if "gVisor" in _read("/proc/version") else "no",
        "container": "yes" if _in_container() else "no",
        "user_namespaces_max": _read("/proc/sys/user/max_user_namespaces") or "unknown",
        "apparmor_restricts_namespaces": _read("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") or "unknown",
        "security_modules": _read("/sys/kernel/security/lsm") or "unknown",
    }


def _has_pidfd() -> bool:
    try:
        os.close(os.pidfd_open(os.getpid()))
    except (OSError, AttributeError):
        return False
    return True


def _in_container() -> bool:
    marks = ("/.dockerenv", "/run/.containerenv")
    return any(map(os.path.exists, marks)) or any(
        word in _read("/proc/self/cgroup") for word in ("docker", "kubepods", "containerd")
    )


def _read(path: str) -> str:
    try:
        return Path(path).read_text().strip()
    except OSError:
        return ""
