"""The attack suite: every program under attacks/, as root and as an ordinary user, under three sets of walls."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.sandbox import arena, bare
from tests.sandbox.ordinary import run_as_ordinary_user

# The wall backstop, and a second for the kill and its report on a crowded machine; benchmarks/sandbox.py asks for half.
_CONTAINED_WITHIN_S = arena.STEP_S * arena.WALL_FACTOR + 1.0


def _judged(reports: list[dict[str, object]]) -> tuple[dict[str, object], float]:
    """Attacks that reached something, and the longest that one took to be contained."""
    succeeded = {str(report["attack"]): report["succeeded"] for report in reports if report["succeeded"]}
    return succeeded, max(float(str(report["seconds"])) for report in reports)


def test_there_are_enough_attacks() -> None:
    assert len(arena.all_attacks()) >= 80


@pytest.mark.parametrize("policy", arena.POLICIES)
def test_no_attack_succeeds_against_an_ordinary_user(policy: str) -> None:
    done = run_as_ordinary_user(str(Path(arena.__file__)), json.dumps([policy]))
    assert done.returncode == 0, done.stderr
    succeeded, slowest_s = _judged(json.loads(done.stdout))
    assert not succeeded
    assert slowest_s <= _CONTAINED_WITHIN_S


@pytest.mark.skipif(os.getuid() != 0, reason="needs root, to be attacked as root")
@pytest.mark.parametrize("policy", arena.POLICIES)
async def test_no_attack_succeeds_against_root(policy: str) -> None:
    reports = await arena.run_all(policy, arena.all_attacks())
    assert {report.attack: report.succeeded for report in reports if report.succeeded} == {}
    assert max(report.seconds for report in reports) <= _CONTAINED_WITHIN_S


def test_most_attacks_succeed_without_walls() -> None:
    done = run_as_ordinary_user(str(Path(bare.__file__)))
    assert done.returncode == 0, done.stderr
    reached = json.loads(done.stdout)
    assert len(reached) >= 0.7 * len(arena.all_attacks())


@pytest.mark.parametrize("wall", ["landlock", "seccomp", "namespaces"])
async def test_each_kernel_wall_alone_stops_what_escapes_the_import_gate(wall: str) -> None:
    escapes = [name for name in arena.all_attacks() if name.startswith("a")]
    reports = await arena.run_all(wall, escapes)
    assert len(reports) >= 3
    assert {report.attack: report.succeeded for report in reports if report.succeeded} == {}
