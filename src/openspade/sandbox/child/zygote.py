"""The fork server: imports everything once, gives up the machine, then forks one confined child per program.

Started with `execve` and a clean environment, never forked from the trainer: no weights, no threads, no secrets.
Standard library and msgspec only. Messages on the control socket are JSON arrays:
host to zygote `[child]` with the child's socket and progress page attached, or `[child, "kill"]`;
zygote to host `["ready", walls]`, `["born", child, pid]` with a pidfd, `["failed", child, why]`,
`["exit", child, status]`.
"""

from __future__ import annotations

import array
import contextlib
import gc
import importlib
import importlib.util
import json
import mmap
import os
import select
import signal
import socket
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any, NoReturn

from openspade.sandbox.child.determinism import Determinism
from openspade.sandbox.isolation.lockdown import RULESET_FD, Lockdown
from openspade.sandbox.isolation.walls import ALLOWED_MODULES, QUIETLY_LOADED

_CONTROL_FD = 8
_DATA_FD = 3
_MESSAGE_BYTES = 8192
_ORPHAN_CHECK_MS = 1000
# As often as the interpreter wants to see a function before it rewrites it for speed.
_REHEARSALS = 10
_REHEARSAL = """
class Rehearsal:
    def reset(self, seed=None): return f"seed {seed}", {}
    def step(self, action): return f"said {action}", 0.0, False, False, {}
"""


class Zygote:
    """One process's worth of state: settings asked for, walls that hold, and modules loaded for the children."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self._settings = settings
        self._lockdown = Lockdown(settings, control_fd=_CONTROL_FD)
        self._determinism = Determinism()
        self._children: dict[int, int] = {}
        self._runner: Any = None

    def prepare(self) -> None:
        """Imports first, while there are files; then the walls; then nothing more is ever freed or collected."""
        self._load_modules()
        self._rehearse()
        _point_streams_nowhere()
        self._lockdown.enclose_zygote()
        gc.collect()
        gc.freeze()
        gc.disable()

    def _load_modules(self) -> None:
        """All that a child may ever import; entropy is replaced before anything keeps a reference to it."""
        self._determinism.install(virtual_clock=self._settings["virtual_clock"])
        codecs = ("encodings.idna", "encodings.latin_1", "encodings.ascii", "encodings.utf_16")
        ours = ("openspade.sandbox.wire", "openspade.sandbox.child.channel")
        for name in (*ALLOWED_MODULES, *QUIETLY_LOADED, *codecs, *ours, *self._settings["preload"]):
            importlib.import_module(name)
        if self._settings["numpy"]:
            numpy = importlib.import_module("numpy")
            # What it loads or starts at first use, it must use now.
            numpy.random.default_rng(0).random(4)
            numpy.linalg.norm(numpy.ones((4, 4)) @ numpy.ones((4, 4)))
            self._determinism.attach_numpy(numpy)
        contract = _loaded_contract(self._settings["contract"])
        if self._settings["worlds"]:
            self._load_worlds(contract)
        from openspade.sandbox.child import child  # noqa: PLC0415  (late: entropy is seeded first)

        # Made once, here: building it in every child would touch, and so copy, the pages of all builtins.
        self._runner = child.Runner(
            contract=contract,
            allowed=(
                *ALLOWED_MODULES,
                "openspade_env",
                *(("numpy",) if self._settings["numpy"] else ()),
                *self._settings["worlds"],
            ),
            import_gate=self._settings["import_gate"],
            restart=self._determinism.restart,
            limit=self._settings["instance_bytes"],
        )

    def _load_worlds(self, contract: ModuleType) -> None:
        """Whole packages of other projects; what they would import or read later, their modules load now."""
        # One set of base classes, under the name of the sandbox and under that of the package.
        sys.modules["openspade.openspade_env"] = contract
        for name in self._settings["worlds"]:
            importlib.import_module(name)
        if "numpy" in sys.modules:
            self._determinism.attach_numpy(sys.modules["numpy"])

    def _rehearse(self) -> None:
        """Plays a program of our own: what is made at first use is made here, and children share its pages."""
        for _ in range(_REHEARSALS):
            _, fault = self._runner.open(_REHEARSAL, 1, False)
            if fault is not None:
                raise OSError(1, f"the sandbox cannot play its own program: {fault[1]}")
            self._runner.reset([0], [0])
            self._runner.step([0], ["x"])
        self._runner.forget()

    def serve(self, control: socket.socket) -> NoReturn:
        """Forks on request and reports deaths until the host hangs up."""
        awake, wake = os.pipe()
        os.set_blocking(awake, False)
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        poller = select.poll()
        poller.register(control, select.POLLIN)
        poller.register(awake, select.POLLIN)
        parent = os.getppid()
        control.send(json.dumps(["ready", self._lockdown.walls]).encode())
        while True:
            # Where no kernel kills an orphan, it must notice by itself.
            for fd, _ in poller.poll(_ORPHAN_CHECK_MS if sys.platform != "linux" else None):
                if fd == awake:
                    with contextlib.suppress(BlockingIOError):
                        os.read(awake, 4096)
                    self._report_deaths(control)
                else:
                    self._obey(control)
            if os.getppid() != parent:
                os._exit(0)

    def _obey(self, control: socket.socket) -> None:
        message, ancillary, _, _ = control.recvmsg(_MESSAGE_BYTES, socket.CMSG_SPACE(8))
        if not message:
            os._exit(0)
        name, *order = json.loads(message)
        if order:
            # For kernels without pidfds: what is not reaped yet cannot have lost its pid to a stranger.
            for pid in [pid for pid, known in self._children.items() if known == name]:
                os.kill(pid, signal.SIGKILL)
            return
        descriptors = array.array("i")
        for _, _, data in ancillary:
            descriptors.frombytes(data[: len(data) - len(data) % descriptors.itemsize])
        self._fork(control, name, descriptors)
        for descriptor in descriptors:
            os.close(descriptor)

    def _fork(self, control: socket.socket, name: int, descriptors: Sequence[int]) -> None:
        try:
            pid = os.fork()
        except OSError as refusal:
            control.send(json.dumps(["failed", name, str(refusal)]).encode())
            return
        if not pid:
            try:
                self._be_born(descriptors)
            finally:
                os._exit(70)
        self._children[pid] = name
        _announce(control, name, pid)

    def _be_born(self, descriptors: Sequence[int]) -> NoReturn:
        """The new child's side: shut every door, then serve."""
        from openspade.sandbox import wire  # noqa: PLC0415  (loaded; importing late keeps entropy seeded)
        from openspade.sandbox.child import channel  # noqa: PLC0415  (loaded; importing late keeps entropy seeded)

        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        finished = _shared_counter(descriptors)
        os.dup2(descriptors[0], _DATA_FD)
        os.closerange(_DATA_FD + 1, RULESET_FD)
        os.closerange(RULESET_FD + 1, 64)
        self._lockdown.enclose_child()
        self._runner.count_in(finished)
        channel.serve(
            self._runner,
            settings=self._settings,
            walls=self._lockdown.walls,
            encode=wire.encode,
            decode=wire.decode_request,
        )

    def _report_deaths(self, control: socket.socket) -> None:
        while self._children:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            if pid in self._children:
                control.send(json.dumps(["exit", self._children.pop(pid), status]).encode())


def _loaded_contract(path: str) -> ModuleType:
    """The base classes, importable by generated code as `openspade_env`."""
    spec = importlib.util.spec_from_file_location("openspade_env", path)
    if spec is None or spec.loader is None:
        raise OSError(2, f"{path} is no Python file")
    contract = importlib.util.module_from_spec(spec)
    sys.modules["openspade_env"] = contract
    spec.loader.exec_module(contract)
    return contract


def _point_streams_nowhere() -> None:
    nowhere = os.open("/dev/null", os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    os.close(nowhere)


def _shared_counter(descriptors: Sequence[int]) -> memoryview:
    """Instances finished, where the host can read it: how it tells a hang from a long message."""
    if len(descriptors) < 2:
        return memoryview(bytearray(4)).cast("I")
    return memoryview(mmap.mmap(descriptors[1], mmap.PAGESIZE)).cast("I")


def _announce(control: socket.socket, name: int, pid: int) -> None:
    message = [json.dumps(["born", name, pid]).encode()]
    try:
        handle = os.pidfd_open(pid)
    except (OSError, AttributeError):
        control.sendmsg(message)
        return
    control.sendmsg(message, [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [handle]))])
    os.close(handle)


def main() -> None:
    """`sys.argv`: the control socket's descriptor, and the settings as JSON."""
    control_fd, settings = int(sys.argv[1]), json.loads(sys.argv[2])
    # A trainer with many open files may hand over a number that is used here for something else.
    if control_fd != _CONTROL_FD:
        os.dup2(control_fd, _CONTROL_FD)
    os.closerange(3, _CONTROL_FD)
    os.closerange(_CONTROL_FD + 1, 4096)
    zygote = Zygote(settings)
    zygote.prepare()
    zygote.serve(socket.socket(fileno=_CONTROL_FD))
