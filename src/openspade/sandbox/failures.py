"""What generated code can do to its child, as values and as exceptions. None of it is an error of ours."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class ProgramFault:
    """One instance went wrong while the others went on.

    `kind` is `raised` (the program's own exception), `contract` (a value of the wrong shape), `reward_range` (not
    finite or outside [0, 1]) or `too_large` (more bytes than one instance may send). `traceback` shows the program's
    own lines.
    """

    kind: str
    message: str
    traceback: str = ""


class SandboxFailure(Exception):
    """The whole child is lost, with all its instances."""

    def __reduce__(self) -> tuple[object, ...]:
        """Failures travel between processes whole, whatever their arguments."""
        return _rebuilt, (type(self), self.args, self.__dict__)


def _rebuilt(kind: type[SandboxFailure], args: tuple[object, ...], state: dict[str, object]) -> SandboxFailure:
    failure = kind.__new__(kind)
    failure.args = args
    failure.__dict__.update(state)
    return failure


class SandboxLost(SandboxFailure):
    """The machine under the child is gone: it says nothing about the program, which may be tried elsewhere."""


class ProgramError(SandboxFailure):
    """The program could not be loaded; `fault` has its exception."""

    def __init__(self, fault: ProgramFault) -> None:
        super().__init__(fault.message)
        self.fault = fault


class DeadlineExceeded(SandboxFailure):
    """Killed over its time. `position` counts, by the child's own word, the instances of the message that were done."""

    def __init__(self, *, cpu_s: float | None, wall_s: float, position: int = 0) -> None:
        used = "an unknown number of" if cpu_s is None else f"{cpu_s:.2f}"
        super().__init__(f"used {used} CPU seconds in {wall_s:.2f} s without an answer")
        self.cpu_s = cpu_s
        self.wall_s = wall_s
        self.position = position


class ChildDied(SandboxFailure):
    """The process ended by itself; `signal` names what killed it, "" when it left by its own exit."""

    def __init__(self, status: str, *, signal: str = "") -> None:
        super().__init__(status)
        self.signal = signal


class ProtocolViolation(SandboxFailure):
    """Killed because it spoke out of turn, or in bytes that no honest child sends."""
