"""Which environments a report shows."""

from dataclasses import replace
from pathlib import Path

from openspade.memory.read.design_list import StoredDesign
from openspade.runview.instructive import choose, pick, telling_pair
from openspade.types import Problem
from tests.fakes import a_design, a_playtest, some_stats
from tests.unit.memories import a_cycle, open_memory, teachable, variant


def stored(name: str, skill: str = "logic", **stats: object) -> StoredDesign:
    return StoredDesign(
        design=a_design(name),
        cycle=0,
        accepted=True,
        asked_skill=skill,
        document_id=None,
        problem=None,
        stats=some_stats(**stats),
    )


def refused(name: str, gate: str, evidence: str = "seen") -> StoredDesign:
    problem = Problem(gate=gate, message="No.", evidence=evidence)
    return replace(stored(name), accepted=False, stats=None, problem=problem)


def why(*designs: StoredDesign) -> dict[str, str]:
    return {chosen.design.id: reason for reason, chosen in pick(designs)}


def test_a_hint_worth_no_more_than_its_noise_teaches_nothing():
    assert why(stored("noise", regret=0.1, regret_se=0.1), stored("signal", regret=0.3)) == {
        "signal": "Its hint taught most"
    }


def test_what_is_always_solved_is_too_easy_whatever_its_hint():
    assert why(stored("easy", solve_rate=1.0, regret=0.0)) == {"easy": "Too easy"}


def test_what_only_the_hint_opens_and_what_nothing_opens_are_told_apart():
    found = why(
        stored("opened", solve_rate=0.0, hinted_solve_rate=0.7),
        stored("hopeless", solve_rate=0.0, hinted_solve_rate=0.0),
    )
    assert found == {"opened": "Only the hint opens it", "hopeless": "Out of reach, with the hint too"}


def test_a_hint_that_makes_play_worse_by_more_than_noise_misled():
    assert why(stored("bad", regret=-0.4), stored("noisy", regret=-0.04)) == {"bad": "Its hint misled"}


def test_a_design_that_broke_in_play_is_shown_for_that_only():
    assert why(stored("hung", fault="hung", qualified=False)) == {"hung": "Broke while it was played"}


def test_refusals_show_different_gates_and_have_something_to_see():
    found = why(
        refused("a", "novel"), refused("b", "novel"), refused("c", "imports"), refused("d", "size", evidence="")
    )
    assert found == {"a": "Refused", "c": "Refused"}


def test_one_skill_does_not_fill_the_page():
    designs = [stored(f"logic{number}", regret=0.9) for number in range(9)] + [stored("other", "spatial", regret=0.2)]
    assert [*why(*designs)] == ["logic0", "logic1", "logic2", "other"]


def test_twelve_are_shown_and_the_first_rule_fills_what_the_others_leave():
    designs = [stored(f"d{number}", f"skill{number}", regret=0.3) for number in range(20)]
    assert len(why(*designs, stored("easy", solve_rate=1.0, regret=0.0))) == 12


def test_equal_titles_are_shown_once():
    assert len(why(stored("one"), stored("one", "spatial"))) == 1


def test_the_pair_that_is_shown_says_what_the_regret_says():
    playtest = a_playtest([[1.0, 0.0]], [[0.0, 1.0]])
    helped, misled = telling_pair(playtest, some_stats()), telling_pair(playtest, some_stats(regret=-0.3))
    assert helped is not None and misled is not None
    assert (helped[0].return_, helped[1].return_) == (0.0, 1.0)
    assert (misled[0].return_, misled[1].return_) == (1.0, 0.0)


def test_a_run_without_its_episode_files_still_shows_its_designs(tmp_path: Path):
    with open_memory(tmp_path) as memory:
        memory.commit(a_cycle(0, [(variant(9), teachable())]), state={}, checkpoint="")
        for path in (tmp_path / "run").glob("*/cycle_*"):
            path.unlink()
        exhibit = choose(memory)[0]
    assert exhibit.verdict is None
    assert exhibit.unaided is None
