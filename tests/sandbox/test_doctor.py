"""The doctor witnesses: each wall alone stops its probe, and what a kernel refuses shows in the grade."""

from __future__ import annotations

import dataclasses
import json
import os
import platform
import struct
import subprocess
import sys
from pathlib import Path

import pytest

import openspade
from openspade.sandbox.isolation import seccomp
from openspade.sandbox.isolation.doctor import PROBES, MachineReport, examine_machine, witness

# Calls that a stricter host refuses with EPERM, before the doctor looks.
REFUSALS = {
    "no namespaces": ("B", ("unshare",)),
    "no mounts: namespaces without an empty root": ("B", ("mount",)),
    "no uid map: half-made namespaces": ("B", ("open-to-write",)),
    "no Landlock either": ("C", ("unshare", "landlock_create_ruleset")),
    "no seccomp either": ("F", ("unshare", "landlock_create_ruleset", "seccomp", "prctl-seccomp")),
}
# Calls that are refused for one value of an argument: number, the argument's offset, the value's bit or number.
_PARTLY = {"prctl-seccomp": (157, 16, 0x15, 22), "open-to-write": (257, 32, 0x45, os.O_WRONLY)}
PATIENT = """
import asyncio, dataclasses, json, sys
from openspade.sandbox.isolation import linux
from openspade.sandbox.isolation.doctor import examine_machine
linux.forbid_new_privileges()
linux.install_filter(bytes.fromhex(sys.argv[1]))
print(json.dumps(dataclasses.asdict(asyncio.run(examine_machine()))))
"""


def refusing(names: tuple[str, ...]) -> bytes:
    """A filter that answers the calls named with EPERM and lets all others through."""

    def instruction(code: int, if_true: int, if_false: int, operand: int) -> bytes:
        return struct.pack("HBBI", code, if_true, if_false, operand)

    load_number, eperm = instruction(0x20, 0, 0, 0), instruction(0x06, 0, 0, seccomp.REFUSE_EPERM)
    program = [load_number]
    for name in names:
        if name in _PARTLY:
            number, offset, test, value = _PARTLY[name]
            program += [instruction(0x15, 0, 4, number), instruction(0x20, 0, 0, offset)]
            program += [instruction(test, 0, 1, value), eperm, load_number]
        else:
            program += [instruction(0x15, 0, 1, seccomp.number(name)), eperm]
    return b"".join(program) + instruction(0x06, 0, 0, seccomp.ALLOW)


async def test_this_machine_runs_generated_code() -> None:
    report = await examine_machine()
    assert report.grade in "ABC"
    assert report.exit_code == 0
    assert json.loads(json.dumps(dataclasses.asdict(report)))["walls"][0]["name"] == "seccomp"
    assert report.open_ms > 0 and report.steps_per_s > 0


@pytest.mark.parametrize("name", [name for name, probe in PROBES.items() if probe.system in ("", "Linux")])
async def test_each_wall_alone_stops_its_probe_or_says_why_not(name: str) -> None:
    wall = await witness(name)
    assert wall.holds or "off: " in wall.reason
    assert wall.holds or name in ("landlock", "namespaces")


@pytest.mark.parametrize("name", ["seccomp", "landlock", "namespaces", "rlimits"])
async def test_without_the_wall_its_probe_gets_through(name: str) -> None:
    wall = await witness(name, walls={})
    assert not wall.holds
    assert wall.advice


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the refusals are filters with this machine's numbers")
@pytest.mark.parametrize("case", REFUSALS)
def test_what_the_host_refuses_shows_in_the_grade(case: str) -> None:
    grade, refused = REFUSALS[case]
    paths = ":".join([str(Path(openspade.__file__).parents[1]), *filter(None, sys.path)])
    command = [sys.executable, "-c", PATIENT, refusing(refused).hex()]
    done = subprocess.run(command, env={"PYTHONPATH": paths}, capture_output=True, text=True, check=False, timeout=60)
    assert "Traceback" not in done.stderr
    report = json.loads(done.stdout)
    assert (report["grade"], report["exit_code"]) == (grade, int(grade == "F"))


def test_a_report_is_plain_data() -> None:
    assert {field.name for field in dataclasses.fields(MachineReport)} >= {"grade", "walls", "facts", "exit_code"}
