"""The host's end of one child: its process, its one request in flight, and the kill."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
from collections.abc import Callable
from typing import TypeVar

from openspade.errors import SandboxError
from openspade.sandbox import wire
from openspade.sandbox.failures import ChildDied, DeadlineExceeded, ProtocolViolation, SandboxFailure
from openspade.sandbox.host.deadline import Allowance, Deadline, DeadlineTimer, ProcessClock, ProgressPage
from openspade.sandbox.host.request_reply import RequestReply, decoded

# A larger buffer would be mapped and unmapped at every call.
_READ_BYTES = 1 << 16
Reply = TypeVar("Reply")


class ChildLink:
    """One child process: asked one thing at a time, killed at the first sign of foul play."""

    def __init__(self, *, data: socket.socket, deadlines: DeadlineTimer, kill_by_zygote: Callable[[], None]) -> None:
        self._data = data
        self._deadlines = deadlines
        self._kill_by_zygote = kill_by_zygote
        self._loop = asyncio.get_running_loop()
        self._exchange = RequestReply()
        self._turn = asyncio.Lock()
        self._hello = b""
        self._awaited: asyncio.Future[bytes] | None = None
        self._failure: Exception | None = None
        self._pidfd = -1
        self._clock = ProcessClock(0)
        self._cpu_s = 0.0
        self._deadline: Deadline | None = None
        self.progress = ProgressPage()
        self.gone = asyncio.Event()
        self.walls: dict[str, str] = {}
        data.setblocking(False)
        self._loop.add_reader(data.fileno(), self._on_bytes)

    # --- life and death ---------------------------------------------------------------------------

    def attach(self, pidfd: int, inner_pid: int) -> None:
        """The process behind this link: its pidfd, or -1 where the kernel has none."""
        self._pidfd = pidfd
        pid = _pid_of(pidfd) if pidfd >= 0 else inner_pid
        self._clock = ProcessClock(pid)

    @property
    def alive(self) -> bool:
        return self._failure is None and not self.gone.is_set()

    @property
    def cpu_s(self) -> float:
        """CPU seconds the child has used, as last seen alive; 0 where the kernel does not say."""
        self._cpu_s = self._clock.now_s() or self._cpu_s
        return self._cpu_s

    def kill(self, because: Exception) -> None:
        """SIGKILL through the pidfd, so that a reused pid is never hit. The first reason stays."""
        if self._failure is None:
            self._failure = because
        self._fail_awaited()
        self._send_sigkill()

    def _send_sigkill(self) -> None:
        if self.gone.is_set():
            return
        try:
            if self._pidfd < 0:
                raise ProcessLookupError
            signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
        except OSError:
            self._kill_by_zygote()

    def bury(self, status: int | Exception) -> None:
        """The zygote has reaped the child (wait status), or there is no zygote any more (the reason)."""
        if self._failure is None:
            self._failure = status if isinstance(status, Exception) else _died(status)
        self.gone.set()
        if self._data.fileno() >= 0:
            self._loop.remove_reader(self._data.fileno())
            self._data.close()
        if self._pidfd >= 0:
            os.close(self._pidfd)
            self._pidfd = -1
        self.progress.close()
        self._fail_awaited()

    def _fail_awaited(self) -> None:
        if self._awaited is not None and not self._awaited.done() and self._failure is not None:
            self._awaited.set_exception(self._failure)

    def check_deadline(self) -> None:
        """Kills a child that is over its time."""
        overrun = self._deadline.overrun() if self._deadline is not None else None
        if overrun is None:
            return
        # The answer may lie here unread: our own loop can be the one that was late.
        if self._awaited is not None:
            self._on_bytes()
            if self._awaited.done():
                return
        self.kill(overrun)

    # --- one request, one reply -------------------------------------------------------------------

    async def hello(self, allowance: Allowance) -> None:
        """Waits for the child's first words: which walls hold."""
        body = self._hello or await self._reply(b"", allowance)
        self.walls = self._read(body, wire.decode_hello).walls

    async def ask(
        self, message: tuple[object, ...], read: Callable[[bytes], Reply], *, allowance: Allowance, frame_limit: int
    ) -> Reply:
        """The answer as `read` understands it; raises a SandboxFailure when the child is lost."""
        async with self._turn:
            self.raise_if_lost()
            return self._read(
                await self._reply(self._exchange.request(message, frame_limit=frame_limit), allowance), read
            )

    async def _reply(self, request: bytes, allowance: Allowance) -> bytes:
        self._deadline = Deadline(allowance, clock=self._clock, page=self.progress)
        awaited = self._awaited = self._loop.create_future()
        self._deadlines.watch(self)
        try:
            self.raise_if_lost()
            if request:
                await self._send(request, awaited)
            return await awaited
        except asyncio.CancelledError:
            # Half a request cannot be taken back.
            awaited.cancel()
            self.kill(ChildDied("killed: the request was cancelled"))
            raise
        finally:
            self._deadlines.forget(self)
            self._awaited = None

    async def _send(self, frame: bytes, awaited: asyncio.Future[bytes]) -> None:
        try:
            sent = self._data.send(frame)
        except BlockingIOError:
            sent = 0
        except OSError:
            # It hung up: the zygote's report says how it died.
            return
        if sent == len(frame):
            return
        sending = asyncio.ensure_future(self._loop.sock_sendall(self._data, frame[sent:]))
        await asyncio.wait((sending, awaited), return_when=asyncio.FIRST_COMPLETED)
        if not sending.done():
            sending.cancel()
        with contextlib.suppress(asyncio.CancelledError, OSError):
            await sending

    def _read(self, body: bytes, read: Callable[[bytes], Reply]) -> Reply:
        try:
            return decoded(body, read)
        except ProtocolViolation as violation:
            self.kill(violation)
            raise

    def raise_if_lost(self) -> None:
        """The reason why this child is no more, as a fresh exception for each who asks."""
        failure = self._failure
        if isinstance(failure, DeadlineExceeded):
            raise DeadlineExceeded(cpu_s=failure.cpu_s, wall_s=failure.wall_s, position=failure.position)
        if isinstance(failure, ChildDied):
            raise ChildDied(str(failure), signal=failure.signal)
        if isinstance(failure, SandboxFailure):
            raise ProtocolViolation(str(failure))
        if failure is not None:
            raise SandboxError(str(failure))

    def _on_bytes(self) -> None:
        try:
            body = self._collect()
        except EOFError:
            self._loop.remove_reader(self._data.fileno())
            return
        except ProtocolViolation:
            return
        if body is None:
            return
        if self._awaited is None:
            # Only the hello can come before anybody waits.
            self._hello = body
        elif not self._awaited.done():
            self._awaited.set_result(body)

    def _collect(self) -> bytes | None:
        """The reply's body once it is whole; EOFError when the child hung up, which the zygote will explain."""
        if self._data.fileno() < 0:
            return None
        try:
            part = self._data.recv(_READ_BYTES)
        except BlockingIOError:
            return None
        except OSError:
            part = b""
        if not part:
            self._send_sigkill()
            raise EOFError
        if self._failure is not None:
            return None
        try:
            return self._exchange.receive(part)
        except ProtocolViolation as violation:
            self.kill(violation)
            raise


def _pid_of(pidfd: int) -> int:
    """The number in our own namespace; the zygote only knows the one in its own."""
    with open(f"/proc/self/fdinfo/{pidfd}") as file:
        for line in file:
            if line.startswith("Pid:"):
                return max(int(line.split()[1]), 0)
    return 0


def _died(status: int) -> ChildDied:
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return ChildDied(f"ended by its own exit with code {code}")
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return ChildDied(f"killed by {name}", signal=name)
