"""The host's end of one child: frames, deadlines, and the kill. Every byte that arrives is treated as hostile."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from openspade.errors import SandboxError
from openspade.sandbox import wire
from openspade.sandbox.deadline import Allowance, Deadline, ProcessClock, ProgressPage, Watchdog
from openspade.sandbox.failures import ChildDied, DeadlineExceeded, ProtocolViolation, SandboxFailure

_READ_BYTES = 1 << 16
_NONCE_BYTES = 8
_NONCES_AT_ONCE = 512
_HELLO_BYTES = 8192
Reply = TypeVar("Reply")


def _nonces() -> Any:
    """Numbers that the program cannot guess; entropy is drawn by the kilobyte."""
    while True:
        pool = os.urandom(_NONCE_BYTES * _NONCES_AT_ONCE)
        for start in range(0, len(pool), _NONCE_BYTES):
            yield int.from_bytes(pool[start : start + _NONCE_BYTES], "little")


class ChildLink:
    """One child process: asked one thing at a time, killed at the first sign of foul play."""

    def __init__(self, *, data: socket.socket, watchdog: Watchdog, kill_by_zygote: Callable[[], None]) -> None:
        self._data = data
        self._watchdog = watchdog
        self._kill_by_zygote = kill_by_zygote
        self._loop = asyncio.get_running_loop()
        self._nonces = _nonces()
        self._turn = asyncio.Lock()
        self._buffer = bytearray()
        self._sequence = 0
        self._nonce = 0
        self._frame_limit = 0
        self._awaited: asyncio.Future[bytes] | None = None
        self._failure: Exception | None = None
        self._pidfd = -1
        self._clock = ProcessClock(0)
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
        self._on_bytes()
        if self._awaited is not None and not self._awaited.done():
            self.kill(overrun)

    # --- one request, one reply -------------------------------------------------------------------

    async def hello(self, allowance: Allowance) -> None:
        """Waits for the child's first words: which walls hold."""
        body = await self._reply(allowance, frame_limit=_HELLO_BYTES)
        self.walls = self._decoded(body, wire.decode_hello).walls

    async def ask(
        self, request: tuple[object, ...], decode: Callable[[bytes], Reply], *, allowance: Allowance, frame_limit: int
    ) -> Reply:
        """The typed answer; raises a SandboxFailure when the child is lost, also to another task's request."""
        async with self._turn:
            self._raise_if_lost()
            body = _encoded(request)
            self._sequence = (self._sequence + 1) & 0xFFFFFFFF
            self._nonce = next(self._nonces)
            frame = wire.HEADER.pack(len(body), self._sequence, self._nonce) + body
            return self._decoded(await self._reply(allowance, frame_limit=frame_limit, request=frame), decode)

    async def _reply(self, allowance: Allowance, *, frame_limit: int, request: bytes = b"") -> bytes:
        self._frame_limit = frame_limit
        self._deadline = Deadline(allowance, clock=self._clock, page=self.progress)
        awaited = self._awaited = self._loop.create_future()
        self._watchdog.watch(self)
        try:
            self._raise_if_lost()
            if self._buffer:
                # A hello came before it was asked for; anything else was noticed on arrival.
                self._examine()
            if request:
                await self._send(request, awaited)
            return await awaited
        except asyncio.CancelledError:
            # Half a request cannot be taken back.
            awaited.cancel()
            self.kill(ChildDied("killed: the request was cancelled"))
            raise
        finally:
            self._watchdog.forget(self)
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

    def _decoded(self, body: bytes, decode: Callable[[bytes], Reply]) -> Reply:
        try:
            return decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            violation = ProtocolViolation(f"an undecodable reply: {str(error)[:200]}")
            self.kill(violation)
            raise violation from None

    def violate(self, what: str) -> ProtocolViolation:
        """Kills the child for `what`; the exception is returned for raising."""
        violation = ProtocolViolation(what)
        self.kill(violation)
        return violation

    def _raise_if_lost(self) -> None:
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
        if self._data.fileno() < 0:
            return
        try:
            part = self._data.recv(_READ_BYTES)
        except BlockingIOError:
            return
        except OSError:
            part = b""
        if not part:
            # End of file comes before the zygote's report, which alone knows how the child ended.
            self._loop.remove_reader(self._data.fileno())
            self._send_sigkill()
            return
        if self._failure is None:
            self._buffer += part
            self._examine()

    def _examine(self) -> None:
        buffer, awaited = self._buffer, self._awaited
        if awaited is None:
            # The hello may come before anyone waits for it.
            if self._sequence or len(buffer) > _HELLO_BYTES:
                self.violate("bytes that nobody asked for")
            return
        if awaited.done() or len(buffer) < wire.HEADER.size:
            return
        length, sequence, nonce = wire.HEADER.unpack_from(buffer)
        foul = self._foul(length, sequence, nonce)
        if foul:
            self.violate(foul)
        elif len(buffer) == wire.HEADER.size + length:
            body = bytes(memoryview(buffer)[wire.HEADER.size :])
            buffer.clear()
            awaited.set_result(body)

    def _foul(self, length: int, sequence: int, nonce: int) -> str:
        if sequence != self._sequence or nonce != self._nonce:
            return "a frame that answers no request"
        if length > self._frame_limit:
            return f"a frame of {length} bytes where {self._frame_limit} may cross"
        return "bytes after the reply" if len(self._buffer) > wire.HEADER.size + length else ""


def _encoded(request: tuple[object, ...]) -> bytes:
    try:
        return wire.encode(request)
    except UnicodeEncodeError:
        # A model's reply cut inside a character: half of it cannot be sent.
        return wire.encode(wire.without_surrogates(request))


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
