"""Designs written to try the ladder: bad ones are refused by the gate whose business it is, good ones pass."""

import asyncio
from pathlib import Path

import pytest
from benchmarks.ladder.measure import judged

HANDED = Path(__file__).parents[1] / "handed_designs"
OWN = Path(__file__).parents[2] / "benchmarks" / "ladder" / "written"
# What no gate can see: a hint that says the opposite of the rule. Flagged after play: it hurts.
UNSEEN = {"b17_misleading_hint"}
BUSINESS_OF = {
    "b01_hex_ticket": "no_solution_leakage",
    "b07_class_level_history": "isolation",
    "b10_day_of_play": "imports",
    "b12_unsolvable_for_some_seeds": "oracle_max",
    "b15_pays_every_turn": "floor_gap",
    "b18_rule_only_in_hint": "hint_leak",
    "b23_help_tells_it": "no_solution_leakage",
    "b32_details_ignored": "arguments",
    "b36_exact_decimals": "equivalent_answers",
    "b37_pure_luck": "luck",
    "b39_survive_and_win": "floor_gap",
}


@pytest.fixture(scope="module")
def verdicts() -> dict[str, str]:
    paths = [*sorted(HANDED.rglob("*.py")), *sorted(OWN.glob("*.py"))]
    return dict(zip([path.stem for path in paths], asyncio.run(judged([p.read_text() for p in paths])), strict=True))


@pytest.mark.parametrize("path", sorted((HANDED / "bad").glob("*.py")), ids=lambda path: path.stem)
def test_a_bad_one_is_refused(path: Path, verdicts: dict[str, str]) -> None:
    said = verdicts[path.stem]
    assert bool(said) != (path.stem in UNSEEN)
    if path.stem in BUSINESS_OF:
        assert said.partition(":")[0] == BUSINESS_OF[path.stem]


@pytest.mark.parametrize(
    "path", [*sorted((HANDED / "good").glob("*.py")), *sorted(OWN.glob("*.py"))], ids=lambda path: path.stem
)
def test_a_sound_one_passes(path: Path, verdicts: dict[str, str]) -> None:
    assert verdicts[path.stem] == ""
