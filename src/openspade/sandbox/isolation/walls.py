"""What a zygote is asked to build, and what came of it: plain data that both sides of the wall read.

Standard library only: the zygote imports this module before it locks itself in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from openspade.errors import SandboxError

ALLOWED_MODULES = tuple(
    """
    __future__ abc array base64 binascii bisect calendar cmath collections colorsys contextlib copy dataclasses datetime
    decimal difflib enum fractions functools hashlib heapq html io itertools json keyword math numbers operator pprint
    queue random re secrets statistics string struct textwrap time traceback types typing unicodedata uuid warnings
    weakref zlib
    """.split()
)
"""What an environment may import beside `openspade_env`, and numpy when the pool was started with it."""

INSIDES = frozenset(
    """
    __globals__ __builtins__ __subclasses__ __code__ __loader__ __spec__ __self__ __traceback__ __getattribute__
    _getframe _current_frames tb_frame tb_next f_back f_locals f_globals f_builtins f_code gi_frame gi_code cr_frame
    cr_code ag_frame ag_code
    """.split()
)
"""Attributes that lead out of a program's own objects: the gate `imports` and the sandbox's `getattr` refuse them."""

# Submodules and late imports of the above: a child cannot open a file, so the zygote must have them all.
QUIETLY_LOADED = ("collections.abc", "html.entities", "html.parser", "json.decoder", "linecache", "_strptime", "ast")


@dataclass(frozen=True, kw_only=True, slots=True)
class Walls:
    """Which walls a zygote builds and how high; `True` means "when the kernel gives it". Bytes and CPU seconds."""

    rlimits: bool = True
    no_new_privs: bool = True
    seccomp: bool = True
    landlock: bool = True
    namespaces: bool = True
    seatbelt: bool = True
    drop_uid: bool = True
    import_gate: bool = True
    virtual_clock: bool = True
    memory_mb: int = 256
    lifetime_cpu_s: int = 600
    open_files: int = 8
    stack_mb: int = 8
    log_chars: int = 4096
    instance_bytes: int = 16_384
    numpy: bool = False
    preload: tuple[str, ...] = ()


def frame_limit(instance_bytes: int, instances: int) -> int:
    """Longest reply body: a decoder may blow bytes up seventyfold, so the limit follows what is due.

    One share more than instances is for what was printed.
    """
    return instance_bytes * (instances + 1)


def refuse_windows(system: str) -> None:
    """Raises SandboxError where no wall can be had at all."""
    if system == "Windows":
        raise SandboxError(
            "Windows has no walls that hold generated code, so OpenSPADE does not run it there; use WSL 2"
        )


def grade(holding: Mapping[str, bool], system: str) -> str:
    """A to F from the walls that hold (docs/sandbox.md); D is Seatbelt on macOS, F means nothing may run."""
    kernel = all(holding.get(name, False) for name in ("seccomp", "no_new_privs", "rlimits"))
    if not kernel:
        return "D" if system == "Darwin" and holding.get("seatbelt", False) else "F"
    if not holding.get("landlock", False):
        return "C"
    return "A" if holding.get("namespaces", False) else "B"
