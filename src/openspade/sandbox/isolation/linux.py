"""The kernel's doors, through ctypes: prctl, seccomp, Landlock, namespaces, limits.

Every function raises OSError with the call's name when the kernel refuses; the caller notes which wall is missing.
Standard library only.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import struct
import sys
from collections.abc import Iterable

from openspade.sandbox.isolation import seccomp

_libc = ctypes.CDLL(None, use_errno=True)

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 24, 38
_SECCOMP_MODE_FILTER, _SECCOMP_SET_MODE_FILTER = 2, 1
_NEW_NAMESPACES = {
    "user": 0x10000000,
    "mount": 0x00020000,
    "pid": 0x20000000,
    "network": 0x40000000,
    "ipc": 0x08000000,
    "uts": 0x04000000,
    "cgroup": 0x02000000,
}
_MS_READ_ONLY, _MS_NO_SUID, _MS_NO_DEV, _MS_NO_EXEC, _MS_REMOUNT = 1, 2, 4, 8, 32
_MS_BIND, _MS_RECURSIVE, _MS_PRIVATE = 4096, 16384, 1 << 18
_MNT_DETACH = 2
_CAPABILITY_VERSION_3 = 0x20080522
# Landlock rights by ABI: bits 0.. for files; from 4 on binding and connecting TCP, from 6 on signals and sockets.
_LANDLOCK_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}
_LANDLOCK_TCP_ABI, _LANDLOCK_SCOPE_ABI = 4, 6
_MEGABYTE = 1 << 20
_UNNAMED_LIMITS = {"MSGQUEUE": 12, "SIGPENDING": 11}
"""Limits that Python's `resource` has no name for."""

Limit = tuple[str, int, int]
"""A limit's name, its number and its value (soft and hard alike)."""


class _FilterProgram(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]


def _checked(result: int, what: str) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
    return result


def prctl(option: int, argument: int = 0) -> None:
    _checked(_libc.prctl(option, ctypes.c_ulong(argument), 0, 0, 0), f"prctl({option})")


def install_filter(program: bytes) -> None:
    """The calling thread's system calls go through `program` from now on; cannot be undone."""
    buffer = ctypes.create_string_buffer(program, len(program))
    wanted = _FilterProgram(len(program) // 8, ctypes.addressof(buffer))
    if _libc.syscall(seccomp.number("seccomp"), _SECCOMP_SET_MODE_FILTER, 0, ctypes.byref(wanted)) < 0:
        # Kernels and sandboxes without seccomp(2) know the older door.
        _checked(_libc.prctl(PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(wanted), 0, 0), "seccomp")


def landlock_abi() -> int:
    """0 when the kernel has no Landlock, or has it switched off."""
    return max(_libc.syscall(seccomp.number("landlock_create_ruleset"), None, 0, 1), 0)


def landlock_ruleset() -> int:
    """A ruleset without a rule, as a file descriptor: no file opened, no TCP port, nobody outside signalled."""
    abi = landlock_abi()
    if not abi:
        raise OSError(38, "landlock: not in this kernel, or not in its lsm= list")
    files = (1 << _LANDLOCK_FILE_RIGHTS.get(abi, 16)) - 1
    fields = [files]
    if abi >= _LANDLOCK_TCP_ABI:
        fields.append(3)
    if abi >= _LANDLOCK_SCOPE_ABI:
        fields.append(3)
    attributes = struct.pack(f"{len(fields)}Q", *fields)
    create = seccomp.number("landlock_create_ruleset")
    return _checked(_libc.syscall(create, attributes, len(attributes), 0), "landlock_create_ruleset")


def landlock_restrict(ruleset: int) -> None:
    _checked(_libc.syscall(seccomp.number("landlock_restrict_self"), ruleset, 0), "landlock_restrict_self")


def unshare_everything() -> None:
    """User, mount, pid, network, ipc, uts and cgroup namespaces of one's own; the next fork is their first process."""
    uid, gid = os.getuid(), os.getgid()
    _checked(_libc.unshare(sum(_NEW_NAMESPACES.values())), "unshare")
    for name, text in (("setgroups", "deny"), ("uid_map", f"0 {uid} 1"), ("gid_map", f"0 {gid} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def probe_namespaces() -> None:
    """Raises OSError where `unshare_everything` would fail; tried in a child, as half-made ones cannot be undone."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            unshare_everything()
            # Being pid 1 of the new namespace must work as well: gVisor refuses later than unshare.
            first = os.fork()
            if not first:
                os._exit(0)
            os.waitpid(first, 0)
        except OSError as refusal:
            os.write(writer, f"{refusal.errno or 1} {refusal.strerror}".encode())
        finally:
            os._exit(0)
    os.close(writer)
    said = os.read(reader, 500).decode()
    os.close(reader)
    os.waitpid(child, 0)
    if said:
        code, _, text = said.partition(" ")
        raise OSError(int(code), text)


def _mount(source: bytes | None, target: bytes, kind: bytes | None, flags: int, options: bytes | None = None) -> None:
    _checked(_libc.mount(source, target, kind, ctypes.c_ulong(flags), options), f"mount {target.decode()}")


def empty_root() -> None:
    """Nothing of the machine's file tree is left to name: the root becomes an empty, read-only tmpfs."""
    quiet = _MS_NO_SUID | _MS_NO_DEV | _MS_NO_EXEC
    base = next((place for place in (b"/tmp", b"/mnt", b"/var") if os.path.isdir(place)), b"/proc")
    _mount(None, b"/", None, _MS_RECURSIVE | _MS_PRIVATE)
    _mount(b"tmpfs", base, b"tmpfs", quiet, b"size=64k,mode=755")
    os.chdir(base)
    _checked(_libc.syscall(seccomp.number("pivot_root"), b".", b"."), "pivot_root")
    _checked(_libc.umount2(b".", _MNT_DETACH), "umount of the old root")
    os.chdir("/")
    _mount(None, b"/", None, _MS_BIND | _MS_REMOUNT | _MS_READ_ONLY | quiet)


def drop_capabilities() -> None:
    for capability in range(64):
        if _libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0:
            break
    header = struct.pack("Ii", _CAPABILITY_VERSION_3, 0)
    _checked(_libc.syscall(seccomp.number("capset"), header, bytes(24)), "capset")


def become(uid: int) -> None:
    """Real root turns into a user that owns nothing; raises OSError where the number is not mapped."""
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def address_space_bytes() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * os.sysconf("SC_PAGESIZE")


def _limit(name: str, value: int) -> Limit:
    which = _UNNAMED_LIMITS.get(name)
    if which is None:
        which = int(getattr(resource, f"RLIMIT_{name}"))
    hard = resource.getrlimit(which)[1]
    return name, which, value if hard == resource.RLIM_INFINITY else min(value, hard)


def zygote_limits(*, used_bytes: int, memory_mb: int, stack_mb: int) -> list[Limit]:
    """What every child inherits. Memory counts from what the zygote uses already."""
    wanted = {"FSIZE": 0, "CORE": 0, "STACK": stack_mb * _MEGABYTE, "MEMLOCK": 0}
    # macOS takes limits on memory and does not keep them.
    if sys.platform == "linux":
        memory = used_bytes + memory_mb * _MEGABYTE
        wanted |= {"AS": memory, "DATA": memory, "MSGQUEUE": 0, "SIGPENDING": 64}
    return [_limit(name, value) for name, value in wanted.items()]


def child_limits(*, cpu_s: int, open_files: int) -> list[Limit]:
    return [_limit("NPROC", 0), _limit("CPU", cpu_s), _limit("NOFILE", open_files)]


def apply_limits(limits: Iterable[Limit]) -> list[str]:
    """Names of the limits the kernel refused: some kernels (gVisor) take only some."""
    refused: list[str] = []
    for name, which, value in limits:
        try:
            resource.setrlimit(which, (value, value))
        except (OSError, ValueError):
            refused.append(name)
    return refused


def die_with_parent() -> None:
    prctl(PR_SET_PDEATHSIG, 9)


def hide_from_debuggers() -> None:
    prctl(PR_SET_DUMPABLE, 0)


def forbid_new_privileges() -> None:
    prctl(PR_SET_NO_NEW_PRIVS, 1)


def offer_to_the_oom_killer() -> None:
    """The kernel then takes an environment before the trainer; a courtesy, so a refusal is no matter."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")
