"""The seccomp filter, read instruction by instruction on both machines: what it allows, and that its numbers are right.

No kernel is asked.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import struct

import pytest

from openspade.sandbox.isolation import seccomp

_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
MACHINES = sorted(_ARCH)


def verdict(program: bytes, *, arch: int, number: int, third_argument: int = 0) -> int:
    """What a kernel would answer: the filter run over one system call."""
    call = struct.pack("<IIQ6Q", number & 0xFFFFFFFF, arch, 0, 0, 0, third_argument, 0, 0, 0)
    accumulator, at = 0, 0
    while True:
        code, if_true, if_false, operand = struct.unpack_from("HBBI", program, at * 8)
        if code == 0x06:
            return operand
        if code == 0x20:
            (accumulator,) = struct.unpack_from("<I", call, operand)
            at += 1
            continue
        holds = {0x15: accumulator == operand, 0x35: accumulator >= operand, 0x45: bool(accumulator & operand)}[code]
        at += 1 + (if_true if holds else if_false)


@pytest.mark.parametrize("machine", MACHINES)
def test_only_what_computing_needs_is_allowed(machine: str) -> None:
    program = seccomp.assemble(machine)
    allowed = {n for n in range(512) if verdict(program, arch=_ARCH[machine], number=n) == seccomp.ALLOW}
    names = {name for name, number in seccomp.NUMBERS[machine].items() if number in allowed}
    assert names == (set(seccomp.COMPUTE) & set(seccomp.NUMBERS[machine])) | {"mmap", "mprotect"}
    assert len(allowed) <= 45


@pytest.mark.parametrize("machine", MACHINES)
def test_memory_that_can_be_executed_is_refused(machine: str) -> None:
    program, numbers = seccomp.assemble(machine), seccomp.NUMBERS[machine]
    answers = [verdict(program, arch=_ARCH[machine], number=numbers[n], third_argument=7) for n in ("mmap", "mprotect")]
    assert answers == [seccomp.REFUSE_EPERM] * 2


@pytest.mark.parametrize("machine", MACHINES)
def test_calls_without_innocent_use_kill(machine: str) -> None:
    program, numbers = seccomp.assemble(machine), seccomp.NUMBERS[machine]
    answers = {verdict(program, arch=_ARCH[machine], number=numbers[name]) for name in seccomp.HOSTILE}
    assert answers == {seccomp.KILL_PROCESS}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("foreign", [0x40000003, 0x40000028, 0, 0xC00000B7, 0xC000003E])
def test_a_second_door_with_other_numbers_kills(machine: str, foreign: int) -> None:
    program = seccomp.assemble(machine)
    answers = {verdict(program, arch=foreign, number=n) for n in range(512)}
    assert answers == {seccomp.KILL_PROCESS} or foreign == _ARCH[machine]


def test_x32_numbers_kill() -> None:
    program = seccomp.assemble("x86_64")
    answers = {verdict(program, arch=_ARCH["x86_64"], number=seccomp.X32_BIT + n) for n in range(600)}
    assert answers == {seccomp.KILL_PROCESS}


def test_an_unknown_machine_has_no_filter() -> None:
    with pytest.raises(KeyError):
        seccomp.assemble("riscv64")


@pytest.mark.skipif(ctypes.util.find_library("seccomp") is None, reason="libseccomp is not installed")
@pytest.mark.parametrize("machine", MACHINES)
def test_the_numbers_are_those_of_libseccomp(machine: str) -> None:
    resolve = ctypes.CDLL(ctypes.util.find_library("seccomp")).seccomp_syscall_resolve_name_arch
    resolve.argtypes = [ctypes.c_uint32, ctypes.c_char_p]
    known = {name: resolve(_ARCH[machine], name.encode()) for name in seccomp.NUMBERS[machine]}
    assert {name: known[name] for name, n in seccomp.NUMBERS[machine].items() if known[name] not in (n, -1)} == {}
