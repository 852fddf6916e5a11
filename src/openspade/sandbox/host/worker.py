"""The host's end of one zygote: starts it, asks it for children, and hears from it how they died."""

from __future__ import annotations

import array
import asyncio
import contextlib
import dataclasses
import json
import os
import socket
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

import openspade
from openspade.errors import SandboxError
from openspade.sandbox.given_worlds import places_of
from openspade.sandbox.host.deadline import Allowance, DeadlineTimer
from openspade.sandbox.host.link import ChildLink
from openspade.sandbox.isolation.walls import Walls

_MESSAGE_BYTES = 8192
_START_TIMEOUT_S = 30.0
_WORLD_TIMEOUT_S = 120.0
_END_TIMEOUT_S = 2.0
# macOS has no sequenced packets; its datagrams keep messages apart as well.
_MESSAGES = getattr(socket, "SOCK_SEQPACKET", socket.SOCK_DGRAM)
Settled = TypeVar("Settled")
_PACKAGE = Path(openspade.__file__).parent
CONTRACT = _PACKAGE / "openspade_env.py"
"""What generated code imports as `openspade_env`."""


def _zygote_path(worlds: Sequence[str], *, numpy: bool) -> list[str]:
    """Where the zygote looks for modules: as little as it needs, and nothing of the current directory."""
    stdlib = sysconfig.get_paths()["stdlib"]
    places = [stdlib, os.path.join(stdlib, "lib-dynload")]
    places += [str(_PACKAGE.parent), str(Path(msgspec.__file__).parent.parent)]
    if numpy:
        import numpy as found  # noqa: PLC0415  (an optional part of the environments' world, not of ours)

        places.append(str(Path(found.__file__).parent.parent))
    return list(dict.fromkeys((*places, *places_of(worlds))))


def _environment_variables(hash_seed: int) -> dict[str, str]:
    one_thread = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    # Pythons of clusters and of shared builds find their own library only with the loader's path.
    loader = {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}
    return {"PYTHONHASHSEED": str(hash_seed), "LC_ALL": "C.UTF-8", **one_thread, **loader}


def _wait_for_end(process: subprocess.Popen[bytes]) -> None:
    """A zygote ends when its control socket closes, and only then are all behind it gone; a kill is the last resort."""
    try:
        process.wait(_END_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stderr is not None:
        process.stderr.close()


class Worker:
    """One zygote process and the children it has forked."""

    def __init__(
        self,
        walls: Walls,
        *,
        deadlines: DeadlineTimer,
        contract: Path = CONTRACT,
        hash_seed: int = 0,
        worlds: Sequence[str] = (),
    ) -> None:
        self._asked = walls
        self._deadlines = deadlines
        self._contract = contract
        self._hash_seed = hash_seed
        self._worlds = worlds
        self._path = _zygote_path(worlds, numpy=walls.numpy)
        self._loop = asyncio.get_running_loop()
        self._next_child = 1
        self._links: dict[int, ChildLink] = {}
        self._births: dict[int, asyncio.Future[None]] = {}
        self._ready: asyncio.Future[dict[str, str]] = self._loop.create_future()
        self._control: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._broken = ""
        self.walls: dict[str, str] = {}

    @property
    def alive(self) -> bool:
        return not self._broken

    @property
    def children(self) -> int:
        return len(self._links)

    @property
    def pid(self) -> int:
        return self._process.pid if self._process else 0

    async def start(self) -> None:
        """Raises SandboxError with the zygote's last words when it does not come up."""
        settings = {
            **dataclasses.asdict(self._asked),
            "contract": str(self._contract.resolve()),
            "worlds": self._worlds,
        }
        timeout_s = _WORLD_TIMEOUT_S if self._worlds else _START_TIMEOUT_S
        ours, theirs = socket.socketpair(socket.AF_UNIX, _MESSAGES)
        boot = f"import sys; sys.path[:] = {self._path!r}; from openspade.sandbox.child import zygote; zygote.main()"
        command = [sys.executable, "-s", "-S", "-B", "-c", boot, str(theirs.fileno()), json.dumps(settings)]
        self._process = subprocess.Popen(  # noqa: ASYNC220  (returns at once; the zygote is awaited below)
            command,
            pass_fds=[theirs.fileno()],
            env=_environment_variables(self._hash_seed),
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            # Ctrl-C in a terminal goes to a whole group: the trainer saves before it ends, and may need environments.
            start_new_session=True,
        )
        theirs.close()
        ours.setblocking(False)
        self._control = ours
        self._loop.add_reader(ours.fileno(), self._on_control)
        try:
            self.walls = await asyncio.wait_for(self._ready, timeout_s)
        except TimeoutError:
            await self.close()
            raise SandboxError(f"the sandbox's zygote did not start within {timeout_s:.0f} s") from None

    async def spawn(self, allowance: Allowance) -> ChildLink:
        """A confined, idle child that has said which walls hold."""
        self._raise_if_broken()
        ours, theirs = socket.socketpair()
        name = self._next_child
        self._next_child += 1
        link = ChildLink(data=ours, deadlines=self._deadlines, kill_by_zygote=lambda: self._kill(name))
        self._links[name] = link
        born = self._births[name] = self._loop.create_future()
        ordered = False
        try:
            with theirs:
                await self._order(name, theirs.fileno(), link.progress.fd)
            ordered = True
            link.progress.hand_over()
            await born
            await link.hello(allowance)
        except BaseException:
            given_up = SandboxError("the child was given up at birth")
            if ordered:
                link.kill(given_up)
            else:
                self._links.pop(name, None)
                link.bury(given_up)
            raise
        finally:
            self._births.pop(name, None)
        return link

    async def close(self) -> None:
        """Kills the zygote and with it all children; returns when they are gone."""
        for link in list(self._links.values()):
            link.kill(SandboxError("the sandbox pool was closed"))
        waiting = [link.gone.wait() for link in self._links.values()]
        if waiting and not self._broken:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.gather(*waiting), 2.0)
        self._give_up("the sandbox pool was closed")
        if self._process is not None:
            await asyncio.to_thread(_wait_for_end, self._process)

    # --- talking to the zygote --------------------------------------------------------------------

    async def _order(self, name: int, *descriptors: int) -> None:
        given = array.array("i", [descriptor for descriptor in descriptors if descriptor >= 0])
        attached = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, given)]
        while True:
            self._raise_if_broken()
            assert self._control is not None
            try:
                self._control.sendmsg([json.dumps([name]).encode()], attached)
                return
            except BlockingIOError:
                # The zygote is behind with its forks.
                await asyncio.sleep(0.002)
            except OSError as error:
                raise SandboxError(f"the sandbox's zygote cannot be reached: {error}") from error

    def _kill(self, name: int) -> None:
        if self._control is not None and name in self._links:
            with contextlib.suppress(OSError):
                self._control.send(json.dumps([name, "kill"]).encode())

    def _on_control(self) -> None:
        while self._control is not None:
            try:
                message, ancillary, _, _ = self._control.recvmsg(
                    _MESSAGE_BYTES, socket.CMSG_SPACE(8), getattr(socket, "MSG_CMSG_CLOEXEC", 0)
                )
            except BlockingIOError:
                return
            except OSError:
                message, ancillary = b"", []
            if not message:
                self._give_up(f"the sandbox's zygote ended{self._last_words()}")
                return
            descriptors = array.array("i")
            for _, _, data in ancillary:
                descriptors.frombytes(data[: len(data) - len(data) % descriptors.itemsize])
            self._hear(json.loads(message), descriptors[0] if descriptors else -1)

    def _hear(self, message: list[object], descriptor: int) -> None:
        match message:
            case ["ready", dict(walls)]:
                self._settle(self._ready, {str(name): str(state) for name, state in walls.items()})
            case ["born", int(name), int(pid)]:
                self._links[name].attach(descriptor, pid)
                self._settle(self._births.get(name), None)
            case ["failed", int(name), str(why)]:
                failure = SandboxError(f"the sandbox could not fork: {why}")
                self._links.pop(name).bury(failure)
                self._settle(self._births.get(name), failure)
            case ["exit", int(name), int(status)]:
                self._links.pop(name).bury(status)
            case _:
                raise SandboxError(f"the sandbox's zygote said {message!r}")

    @staticmethod
    def _settle(waiting: asyncio.Future[Settled] | None, outcome: Settled | SandboxError) -> None:
        if waiting is None or waiting.done():
            return
        if isinstance(outcome, SandboxError):
            waiting.set_exception(outcome)
        else:
            waiting.set_result(outcome)

    def _last_words(self) -> str:
        process = self._process
        if process is None or process.stderr is None:
            return ""
        os.set_blocking(process.stderr.fileno(), False)
        words = (process.stderr.read() or b"").decode("utf-8", "replace").strip()
        return f": {words.splitlines()[-1]}" if words else ""

    def _give_up(self, why: str) -> None:
        if self._broken:
            return
        self._broken = why
        if self._control is not None:
            self._loop.remove_reader(self._control.fileno())
            self._control.close()
            self._control = None
        error = SandboxError(why)
        self._settle(self._ready, error)
        for born in self._births.values():
            self._settle(born, error)
        for link in list(self._links.values()):
            link.bury(error)
        self._links.clear()

    def _raise_if_broken(self) -> None:
        if self._broken:
            raise SandboxError(self._broken)
