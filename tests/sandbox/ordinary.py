"""Runs a Python program as an ordinary user, for machines where the tests run as root.

As a program (`python ordinary.py PLACE ARGUMENT...`) it gives up root and becomes Python again, below PLACE: root's own
Python may lie in a folder that nobody else may enter, so it is mounted where everybody may.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import tempfile
from pathlib import Path

UID = 20_001
_CLONE_NEWNS, _MS_BIND, _MS_REC, _MS_PRIVATE = 0x20000, 4096, 16384, 1 << 18


def run_as_ordinary_user(*arguments: str, timeout_s: float = 120) -> subprocess.CompletedProcess[str]:
    """`python ARGUMENTS` without any privilege: as uid 20001 when we are root, as we are otherwise."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": ":".join(filter(None, sys.path)), "HOME": "/nonexistent"}
    command = [sys.executable, *arguments]
    with tempfile.TemporaryDirectory(prefix="ordinary-") as place:
        if os.getuid() == 0:
            Path(place).chmod(0o755)
            command = [sys.executable, __file__, place, *arguments]
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=timeout_s, check=False, cwd="/"
        )


def _mount(source: bytes, target: bytes, flags: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(source, target, None, ctypes.c_ulong(flags), None) < 0:
        raise OSError(ctypes.get_errno(), f"mount {target!r}")


def _give_up_root(place: str, arguments: list[str]) -> None:
    if ctypes.CDLL(None, use_errno=True).unshare(_CLONE_NEWNS) < 0:
        raise OSError(ctypes.get_errno(), "unshare")
    _mount(b"none", b"/", _MS_REC | _MS_PRIVATE)
    _mount(sys.base_prefix.encode(), place.encode(), _MS_BIND)
    os.setgroups([])
    os.setresgid(UID, UID, UID)
    os.setresuid(UID, UID, UID)
    paths = [path.replace(sys.base_prefix, place) for path in os.environ["PYTHONPATH"].split(":")]
    python = f"{place}/bin/python{sys.version_info[0]}.{sys.version_info[1]}"
    os.execve(
        python, [python, *arguments], {**os.environ, "PYTHONPATH": ":".join(paths), "LD_LIBRARY_PATH": f"{place}/lib"}
    )


if __name__ == "__main__":
    _give_up_root(sys.argv[1], sys.argv[2:])
