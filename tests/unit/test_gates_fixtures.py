"""The fixtures of the gates are complete: two that fail and two that pass for each, and one for each known failure.

Rows F3 to F28 are ways in which self-made environments fail, W19 to W24 are faults of an earlier judge; docs/gates.md
tells what they are. A fixture carries the letters in its name; what is not a gate's matter has a test elsewhere.
"""

import re
from pathlib import Path

import pytest

from openspade.verifier.ladder import READINGS, TRIALS

ROOT = Path(__file__).parents[2]
FIXTURES = [path for path in (ROOT / "tests" / "gates").rglob("*_*") if path.suffix in (".py", ".md")]
GATES = ["parses", "resource_bounds", "novel", "reviewer", *(gate.id for gate in (*READINGS, *TRIALS))]
ROWS = [f"f{row}" for row in range(3, 29)] + [f"w{row}" for row in (19, 21, 22, 23, 24)]
ELSEWHERE = {
    "f5": "tests/unit/test_credit_advantage.py::test_every_ending_has_one_outcome",
    "f6": "tests/unit/test_credit_reward.py::test_each_kind_pays_by_its_formula",
    "f7": "tests/unit/test_credit_regret.py::test_shrinking_draws_a_noisy_regret_to_zero_and_leaves_a_sure_one",
    "f8": "tests/unit/test_credit_regret.py::test_a_half_trivial_half_impossible_design_is_not_learnable",
    "f9": "tests/unit/test_windows.py::test_what_is_learned_late_says_how_late",
    "f25": "tests/end_to_end/test_playtest.py::test_a_crash_of_the_environment_is_void_and_not_a_failure_of_the_policy",
    "f27": "tests/sandbox/test_attacks.py::test_no_attack_succeeds_against_an_ordinary_user",
}
NOT_BUILT = {"f12"}


def named(row: str) -> list[Path]:
    return [path for path in FIXTURES if row in re.findall(r"[fw]\d+", path.stem)]


@pytest.mark.parametrize("gate", GATES)
def test_every_gate_has_two_fixtures_that_fail_and_two_that_pass(gate: str) -> None:
    names = [path.name for path in FIXTURES if path.parent.name == gate]
    assert sum(name.startswith("bad_") for name in names) >= 2
    assert sum(name.startswith("good_") for name in names) >= 2


def test_every_folder_of_fixtures_is_a_gate() -> None:
    assert {path.parent.name for path in FIXTURES} == set(GATES)


@pytest.mark.parametrize("row", [row for row in ROWS if row not in ELSEWHERE and row not in NOT_BUILT])
def test_every_known_failure_of_environments_has_a_fixture(row: str) -> None:
    assert named(row)


@pytest.mark.parametrize("row", sorted(ELSEWHERE))
def test_what_is_not_a_gates_matter_is_tested_elsewhere(row: str) -> None:
    path, _, name = ELSEWHERE[row].partition("::")
    assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8")


@pytest.mark.parametrize("row", ROWS)
def test_the_documentation_says_where_each_row_is_met(row: str) -> None:
    assert re.search(rf"^\| {row.upper()} ", (ROOT / "docs" / "gates.md").read_text(encoding="utf-8"), re.MULTILINE)
