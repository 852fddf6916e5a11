"""The fork server: imports everything once, gives up the machine, then forks one confined child per program.

Started with `execve` and a clean environment, never forked from the trainer: no weights, no threads, no secrets.
Standard library and msgspec only. Messages on the control socket are JSON arrays:
host to zygote `[child]` with the child's socket attached, or `[child, "kill"]`;
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
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, NoReturn

from openspade.sandbox.determinism import Determinism
from openspade.sandbox.walls import ALLOWED_MODULES, QUIETLY_LOADED

_CONTROL_FD = 8
_RULESET_FD = 9
_DATA_FD = 3
_MESSAGE_BYTES = 8192
_STRANGER_UIDS = range(60_706, 61_184)
"""Numbers that no distribution hands out."""


class Zygote:
    """One process's worth of state: settings asked for, and what became of each wall."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self.settings = settings
        self.walls: dict[str, str] = {}
        self.determinism = Determinism()
        self.contract: ModuleType | None = None
        self._used_bytes = 0
        self._ruleset = False
        self._filter = b""
        self._child_limits: list[Any] = []
        self._wire: ModuleType | None = None

    # --- building the walls, outermost first ------------------------------------------------------

    def prepare(self) -> None:
        """Everything a fork inherits is done once, here."""
        from openspade.sandbox import linux  # noqa: PLC0415  (only Linux has these doors)

        linux.offer_to_the_oom_killer()
        self.load_modules()
        self._point_standard_streams_nowhere()
        # Asked now: behind an empty root there is no /proc to ask.
        self._used_bytes = linux.address_space_bytes()
        self._try("drop_uid", self._leave_root)
        self._try("namespaces", self._enter_namespaces)
        linux.die_with_parent()
        self._try("landlock", self._make_ruleset)
        linux_walls: list[tuple[str, Callable[[], object]]] = [("no_new_privs", linux.forbid_new_privileges)]
        if self.walls["namespaces"] == "on":
            linux_walls.insert(0, ("capabilities", linux.drop_capabilities))
        for name, build in linux_walls:
            self._try(name, build)
        if self._ruleset and self.walls["no_new_privs"] == "on":
            self._try("landlock", lambda: linux.landlock_restrict(_RULESET_FD))
        self._try("rlimits", self._limit_all)
        self._try("seccomp", self._assemble_filter)
        linux.hide_from_debuggers()
        gc.collect()
        gc.freeze()
        gc.disable()

    def _try(self, name: str, build: Callable[[], object]) -> None:
        if not self.settings.get(name, True):
            self.walls[name] = "off: not asked for"
            return
        try:
            said = build()
            self.walls[name] = said if isinstance(said, str) else "on"
        except (OSError, ValueError, KeyError) as refusal:
            self.walls[name] = f"off: {refusal}"

    def load_modules(self) -> None:
        """All that a child may ever import; entropy is replaced before anything keeps a reference to it."""
        self.determinism.install(virtual_clock=self.settings["virtual_clock"])
        for name in (*ALLOWED_MODULES, *QUIETLY_LOADED, *self.settings["preload"]):
            importlib.import_module(name)
        if self.settings["numpy"]:
            numpy = importlib.import_module("numpy")
            numpy.random.default_rng(0).random(4)
            numpy.linalg.norm(numpy.ones((4, 4)) @ numpy.ones((4, 4)))
            self.determinism.attach_numpy(numpy)
        self._wire = importlib.import_module("openspade.sandbox.wire")
        importlib.import_module("openspade.sandbox.child")
        for codec in ("encodings.idna", "encodings.latin_1", "encodings.ascii", "encodings.utf_16"):
            importlib.import_module(codec)
        spec = importlib.util.spec_from_file_location("openspade_env", self.settings["contract"])
        if spec is None or spec.loader is None:
            raise OSError(2, f"{self.settings['contract']} is no Python file")
        self.contract = importlib.util.module_from_spec(spec)
        sys.modules["openspade_env"] = self.contract
        spec.loader.exec_module(self.contract)

    @staticmethod
    def _point_standard_streams_nowhere() -> None:
        nowhere = os.open("/dev/null", os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        os.close(nowhere)

    @staticmethod
    def _leave_root() -> str:
        from openspade.sandbox import linux  # noqa: PLC0415

        if os.getuid() != 0:
            return "not needed: not root"
        linux.become(_STRANGER_UIDS[os.getpid() % len(_STRANGER_UIDS)])
        # A changed user makes /proc/self root's own; the uid map could not be written.
        linux.prctl(linux.PR_SET_DUMPABLE, 1)
        return "on"

    @staticmethod
    def _enter_namespaces() -> None:
        from openspade.sandbox import linux  # noqa: PLC0415

        linux.probe_namespaces()
        linux.unshare_everything()
        inner = os.fork()
        if inner:
            # The outer half only waits, so that the host has a process to hold.
            os.close(_CONTROL_FD)
            linux.die_with_parent()
            os.waitpid(inner, 0)
            os._exit(0)
        linux.die_with_parent()
        linux.empty_root()

    def _make_ruleset(self) -> None:
        from openspade.sandbox import linux  # noqa: PLC0415

        ruleset = linux.landlock_ruleset()
        if ruleset != _RULESET_FD:
            os.dup2(ruleset, _RULESET_FD)
            os.close(ruleset)
        self._ruleset = True

    def _limit_all(self) -> str:
        from openspade.sandbox import linux  # noqa: PLC0415

        inherited = linux.zygote_limits(
            used_bytes=self._used_bytes, memory_mb=self.settings["memory_mb"], stack_mb=self.settings["stack_mb"]
        )
        refused = linux.apply_limits(inherited)
        self._child_limits = linux.child_limits(
            cpu_s=self.settings["lifetime_cpu_s"], open_files=self.settings["open_files"]
        )
        if "AS" in refused:
            raise OSError(1, f"the kernel refuses a limit on {', '.join(refused)}")
        if refused:
            self.walls["rlimits_refused"] = ", ".join(refused)
        return "on"

    def _assemble_filter(self) -> str:
        from openspade.sandbox import seccomp  # noqa: PLC0415

        self._filter = seccomp.assemble()
        return "ready"

    # --- forking ----------------------------------------------------------------------------------

    def be_born(self, descriptors: Sequence[int]) -> NoReturn:
        """The new child's side: shut every door, then serve. The filter comes last: it forbids the rest."""
        from openspade.sandbox import child, linux  # noqa: PLC0415

        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        finished = _shared_counter(descriptors[1]) if len(descriptors) > 1 else memoryview(bytearray(4)).cast("I")
        os.dup2(descriptors[0], _DATA_FD)
        os.closerange(_DATA_FD + 1, _RULESET_FD)
        os.closerange(_RULESET_FD + 1, 64)
        linux.die_with_parent()
        linux.hide_from_debuggers()
        if self._ruleset:
            # A domain of its own: no signal and no abstract socket out of it, not even to siblings.
            self._try("landlock", lambda: linux.landlock_restrict(_RULESET_FD))
            os.close(_RULESET_FD)
        if self.walls["rlimits"] == "on":
            refused = linux.apply_limits(self._child_limits)
            if refused:
                known = self.walls.get("rlimits_refused", "")
                self.walls["rlimits_refused"] = ", ".join(filter(None, (known, *refused)))
        if self._filter:
            self._try("seccomp", lambda: linux.install_filter(self._filter))
        allowed = (*ALLOWED_MODULES, "openspade_env", *(("numpy",) if self.settings["numpy"] else ()))
        runner = child.Runner(
            contract=self.contract,
            allowed=allowed,
            import_gate=self.settings["import_gate"],
            restart=self.determinism.restart,
            finished=finished,
        )
        wire: Any = self._wire
        child.serve(runner, settings=self.settings, walls=self.walls, encode=wire.encode, decode=wire.decode_request)
        os._exit(0)

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
        children: dict[int, int] = {}
        control.send(json.dumps(["ready", self.walls]).encode())
        while True:
            for fd, _ in poller.poll():
                if fd == awake:
                    with contextlib.suppress(BlockingIOError):
                        os.read(awake, 4096)
                    _report_deaths(control, children)
                else:
                    self._obey(control, children)

    def _obey(self, control: socket.socket, children: dict[int, int]) -> None:
        message, ancillary, _, _ = control.recvmsg(_MESSAGE_BYTES, socket.CMSG_SPACE(8))
        if not message:
            os._exit(0)
        name, *order = json.loads(message)
        if order:
            # For kernels without pidfds: what is not reaped yet cannot have lost its pid to a stranger.
            for pid in [pid for pid, known in children.items() if known == name]:
                os.kill(pid, signal.SIGKILL)
            return
        descriptors = array.array("i")
        for _, _, data in ancillary:
            descriptors.frombytes(data[: len(data) - len(data) % descriptors.itemsize])
        try:
            pid = os.fork()
        except OSError as refusal:
            control.send(json.dumps(["failed", name, str(refusal)]).encode())
            pid = -1
        if not pid:
            try:
                self.be_born(descriptors)
            finally:
                os._exit(70)
        for descriptor in descriptors:
            os.close(descriptor)
        if pid > 0:
            children[pid] = name
            _announce(control, name, pid)


def _shared_counter(descriptor: int) -> memoryview:
    """Instances finished, where the host can read it: how it tells a hang from a long message."""
    return memoryview(mmap.mmap(descriptor, mmap.PAGESIZE)).cast("I")


def _announce(control: socket.socket, name: int, pid: int) -> None:
    message = [json.dumps(["born", name, pid]).encode()]
    try:
        handle = os.pidfd_open(pid)
    except (OSError, AttributeError):
        control.sendmsg(message)
        return
    control.sendmsg(message, [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [handle]))])
    os.close(handle)


def _report_deaths(control: socket.socket, children: dict[int, int]) -> None:
    while children:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        if pid in children:
            control.send(json.dumps(["exit", children.pop(pid), status]).encode())


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
