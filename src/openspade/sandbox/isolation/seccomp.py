"""The load-bearing wall: a seccomp allow-list, assembled by hand for x86_64 and aarch64.

What is not listed fails with EPERM, which Python shows as a PermissionError with a traceback the Designer can learn
from. Calls without an innocent use kill the process instead. Standard library only.
"""

from __future__ import annotations

import platform
import struct
from collections.abc import Iterator

ALLOW = 0x7FFF0000
KILL_PROCESS = 0x80000000
REFUSE_EPERM = 0x00050001
REFUSE_ENOSYS = 0x00050026
PROT_EXEC = 4
X32_BIT = 0x40000000

COMPUTE = (
    "read write close fstat poll lseek munmap brk rt_sigaction rt_sigprocmask rt_sigreturn readv writev select "
    "sched_yield mremap madvise nanosleep getpid exit gettimeofday getrusage times getuid getgid geteuid getegid "
    "sigaltstack gettid time futex sched_getaffinity restart_syscall clock_gettime clock_getres clock_nanosleep "
    "exit_group pselect6 ppoll"
).split()
"""Enough for arithmetic, memory, one socket that is already open, and dying."""

NOT_EXECUTABLE = ("mmap", "mprotect")
"""Allowed unless they ask for executable memory."""

HOSTILE = (
    "ptrace process_vm_readv process_vm_writev bpf perf_event_open io_uring_setup unshare setns mount umount2 "
    "pivot_root chroot init_module finit_module kexec_load add_key request_key keyctl userfaultfd open_by_handle_at "
    "pidfd_getfd process_madvise open_tree move_mount fsopen"
).split()
"""No innocent program asks for these: the process is killed by SIGSYS."""

_NUMBERS = """
read 0 63|write 1 64|close 3 57|fstat 5 80|poll 7 -|lseek 8 62|mmap 9 222|mprotect 10 226|munmap 11 215|brk 12 214
rt_sigaction 13 134|rt_sigprocmask 14 135|rt_sigreturn 15 139|readv 19 65|writev 20 66|select 23 -|sched_yield 24 124
mremap 25 216|madvise 28 233|nanosleep 35 101|getpid 39 172|exit 60 93|gettimeofday 96 169|getrusage 98 165
times 100 153|getuid 102 174|getgid 104 176|geteuid 107 175|getegid 108 177|sigaltstack 131 132|gettid 186 178
time 201 -|futex 202 98|sched_getaffinity 204 123|restart_syscall 219 128|clock_gettime 228 113|clock_getres 229 114
clock_nanosleep 230 115|exit_group 231 94|pselect6 270 72|ppoll 271 73|clone3 435 435|ptrace 101 117
process_vm_readv 310 270|process_vm_writev 311 271|bpf 321 280|perf_event_open 298 241|io_uring_setup 425 425
unshare 272 97|setns 308 268|mount 165 40|umount2 166 39|pivot_root 155 41|chroot 161 51|init_module 175 105
finit_module 313 273|kexec_load 246 104|add_key 248 217|request_key 249 218|keyctl 250 219|userfaultfd 323 282
open_by_handle_at 304 265|pidfd_getfd 438 438|process_madvise 440 440|open_tree 428 428|move_mount 429 429
fsopen 430 430|seccomp 317 277|capset 126 91|landlock_create_ruleset 444 444|landlock_add_rule 445 445
landlock_restrict_self 446 446|pidfd_open 434 434
"""
_AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


def _rows() -> Iterator[tuple[str, str, str]]:
    for entry in _NUMBERS.replace("\n", "|").split("|"):
        if entry:
            name, x86_64, aarch64 = entry.split()
            yield name, x86_64, aarch64


NUMBERS = {
    "x86_64": {name: int(number) for name, number, _ in _rows() if number != "-"},
    "aarch64": {name: int(number) for name, _, number in _rows() if number != "-"},
}
"""System call numbers by machine; a call that a machine lacks is missing."""


def number(name: str) -> int:
    """This machine's number of a system call; -1 (ENOSYS) on a machine we have no table for."""
    return NUMBERS.get(platform.machine(), {}).get(name, -1)


def _instruction(code: int, if_true: int, if_false: int, operand: int) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, operand)


def _load(offset: int) -> bytes:
    return _instruction(0x20, 0, 0, offset)


def _answer(value: int) -> bytes:
    return _instruction(0x06, 0, 0, value)


def _if_equal(value: int, if_true: int, if_false: int) -> bytes:
    return _instruction(0x15, if_true, if_false, value)


def assemble(machine: str = "", *, hostile: int = KILL_PROCESS) -> bytes:
    """The filter as BPF instructions of 8 bytes; KeyError on a machine without a table."""
    machine = machine or platform.machine()
    numbers = NUMBERS[machine]
    # A second ABI would give the same calls under other numbers: 32-bit calls and x32 are killed.
    program = [_load(4), _if_equal(_AUDIT_ARCH[machine], 1, 0), _answer(KILL_PROCESS), _load(0)]
    if machine == "x86_64":
        program += [_instruction(0x35, 0, 1, X32_BIT), _answer(KILL_PROCESS)]
    for name in COMPUTE:
        if name in numbers:
            program += [_if_equal(numbers[name], 0, 1), _answer(ALLOW)]
    for name in NOT_EXECUTABLE:
        third_argument = _load(16 + 8 * 2)
        asks_exec = _instruction(0x45, 0, 1, PROT_EXEC)
        program += [_if_equal(numbers[name], 0, 4), third_argument, asks_exec, _answer(REFUSE_EPERM), _answer(ALLOW)]
    # glibc falls back to clone, which is refused, only when clone3 says that it does not exist.
    program += [_if_equal(numbers["clone3"], 0, 1), _answer(REFUSE_ENOSYS)]
    for name in HOSTILE:
        program += [_if_equal(numbers[name], 0, 1), _answer(hostile)]
    return b"".join(program) + _answer(REFUSE_EPERM)
