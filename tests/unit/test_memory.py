"""What a run remembers, and what of it a brief is shown."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from openspade.errors import StorageError
from openspade.memory.memory import Memory
from openspade.memory.read.design_list import Wanted
from openspade.memory.search.similarity import fingerprint
from openspade.memory.write.history import episodes_path, read_drafts, read_episodes
from openspade.tokens import TokenStream
from openspade.types import Action, Observation, Problem, ToolCall, Turn
from tests.fakes import SKILL
from tests.unit.mechanics import MAZES
from tests.unit.memories import (
    REVERSING,
    SORTING,
    a_cycle,
    a_document,
    an_episode_of,
    design_of,
    open_memory,
    remember,
    teachable,
    variant,
)

SORT, REVERSE = design_of(SORTING, "Sort numbers."), design_of(REVERSING, "Reverse a list.")
ECHO_WINS = Problem(gate="floor_gap", message="echoing the observation earns 1.0", evidence="seed 3")


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with open_memory(tmp_path) as opened:
        yield opened


# --- the commit -------------------------------------------------------------------------------------


def test_a_new_memory_has_no_past(memory: Memory):
    assert (memory.last_cycle(), memory.state(), memory.checkpoint(), memory.metrics()) == (-1, {}, "", [])


def test_a_commit_keeps_state_checkpoint_and_metrics(memory: Memory):
    memory.commit(a_cycle(0), state={"cursor": [1, None, {"a": 0.1}]}, checkpoint="cycle_000000")
    assert memory.last_cycle() == 0
    assert memory.state() == {"cursor": [1, None, {"a": 0.1}]}
    assert memory.checkpoint() == "cycle_000000"
    assert memory.metrics() == [(0, {"regret/mean": 0.0})]


def test_a_design_comes_back_as_it_was_written(memory: Memory):
    remember(memory, (SORT, teachable(seed_solve_rates=(0.5, 0.25))), document=a_document())
    stored = memory.design(SORT.id)
    assert stored.design == SORT
    assert stored.stats == replace(teachable(seed_solve_rates=(0.5, 0.25)), design_id=SORT.id)
    assert (stored.cycle, stored.accepted, stored.problem, stored.document_id) == (0, True, None, "doc")


def test_a_refused_design_keeps_its_problem(memory: Memory):
    memory.commit(a_cycle(0, refused=[(SORT, ECHO_WINS)]), state={}, checkpoint="")
    assert memory.design(SORT.id).problem == ECHO_WINS
    assert memory.stats(SORT.id) is None


def test_the_same_program_twice_is_one_design(memory: Memory):
    remember(memory, (SORT, teachable()))
    remember(memory, (SORT, teachable(solve_rate=0.7)))
    assert len(memory.designs()) == 1
    assert memory.designs()[0].cycle == 0


def test_two_drafts_of_one_cycle_may_be_the_same_program(memory: Memory):
    remember(memory, (SORT, teachable()), (SORT, teachable()))
    assert len(memory.designs()) == 1
    assert len(read_episodes(memory.run_directory, 0)) == 4


def test_a_later_playtest_replaces_the_statistics(memory: Memory):
    remember(memory, (SORT, teachable(solve_rate=0.5)))
    remember(memory, (SORT, teachable(solve_rate=0.7)))
    found = memory.stats(SORT.id)
    assert found is not None
    assert found.solve_rate == 0.7


def test_a_cycle_is_stored_once(memory: Memory):
    remember(memory, (SORT, teachable()))
    with pytest.raises(StorageError, match="cycle 0 is already stored"):
        memory.commit(a_cycle(0), state={}, checkpoint="")


def test_a_commit_that_fails_half_way_leaves_nothing(memory: Memory):
    twice = a_cycle(0, [(SORT, teachable())])
    with pytest.raises(StorageError):
        memory.commit(replace(twice, verdicts=twice.verdicts * 2), state={}, checkpoint="")
    assert memory.last_cycle() == -1
    assert memory.designs() == ()


def test_a_metric_that_is_no_number_comes_back_as_nan(memory: Memory):
    memory.commit(replace(a_cycle(0), metrics={"loss": math.inf}), state={}, checkpoint="")
    assert math.isnan(memory.metrics()[0][1]["loss"])


def test_half_a_surrogate_pair_in_a_title_does_not_break_the_commit(memory: Memory):
    odd = replace(SORT, title="sort \ud800", hint="\udfff")
    remember(memory, (odd, teachable()))
    assert memory.design(odd.id).design.title == r"sort \ud800"


def test_evaluations_are_kept_by_cycle_and_suite(memory: Memory):
    memory.record_evaluation(3, "nano", {"score": 0.5, "solved": 8})
    memory.record_evaluation(3, "nano", {"score": 0.6})
    assert memory.evaluations() == [(3, "nano", {"score": 0.6, "solved": 8})]


def test_events_and_run_facts_are_kept(memory: Memory):
    memory.record_event(2, "collapse", "mazes")
    memory.record_run("nano", {"seed": 1})
    assert [(event.cycle, event.kind, event.text) for event in memory.events()] == [(2, "collapse", "mazes")]
    assert memory.runs() == {"nano": {"seed": 1}}


# --- episodes and drafts ----------------------------------------------------------------------------


def test_an_episode_is_read_back_to_the_last_token(memory: Memory):
    call = ToolCall(name="find", arguments={"who": ["Ann", {"age": None}]}, problem="")
    turn = Turn(reply="é\n</x>", action=Action(text="", calls=(call,)), observation=Observation(text="ok"), reward=0.3)
    stream = TokenStream(ids=(5, 6), written=(False, True), logprobs=(0.0, -0.1234567890123))
    episode = replace(an_episode_of(SORT), turns=(turn,), streams=(stream,))
    cycle = a_cycle(0, [(SORT, teachable())])
    playtests = (replace(cycle.playtests[0], episodes=(episode,)),)
    memory.commit(replace(cycle, playtests=playtests), state={}, checkpoint="")
    assert read_episodes(memory.run_directory, 0) == [episode]


def test_an_episode_may_hold_half_a_surrogate_pair(memory: Memory):
    cycle = a_cycle(0, [(SORT, teachable())])
    episode = replace(an_episode_of(SORT), first_observation="\ud800")
    memory.commit(
        replace(cycle, playtests=(replace(cycle.playtests[0], episodes=(episode,)),)), state={}, checkpoint=""
    )
    assert read_episodes(memory.run_directory, 0) == [episode]


def test_a_log_prob_that_is_no_number_stays_one(memory: Memory):
    cycle = a_cycle(0, [(SORT, teachable())])
    stream = TokenStream(ids=(5,), written=(True,), logprobs=(math.nan,))
    episode = replace(an_episode_of(SORT), streams=(stream,))
    memory.commit(
        replace(cycle, playtests=(replace(cycle.playtests[0], episodes=(episode,)),)), state={}, checkpoint=""
    )
    assert math.isnan(read_episodes(memory.run_directory, 0)[0].streams[0].logprobs[0])


def test_every_draft_is_kept_with_its_words(memory: Memory):
    memory.commit(a_cycle(0, refused=[(SORT, ECHO_WINS)]), state={}, checkpoint="")
    assert [(draft["id"], draft["text"]) for draft in read_drafts(memory.run_directory, 0)] == [("0-0", "words")]


def test_a_missing_episode_file_is_named(memory: Memory):
    with pytest.raises(StorageError, match="cycle_000004"):
        read_episodes(memory.run_directory, 4)


def test_no_half_written_file_stays(memory: Memory):
    memory.commit(a_cycle(0), state={}, checkpoint="")
    assert [path.name for path in (memory.run_directory / "episodes").iterdir()] == [
        episodes_path(memory.run_directory, 0).name
    ]


# --- novelty ----------------------------------------------------------------------------------------


def test_an_accepted_program_is_seen_under_other_names(memory: Memory):
    remember(memory, (SORT, teachable()))
    assert memory.seen(fingerprint(SORTING.replace("Task", "Sorter"))) == SORT.id
    assert memory.seen(fingerprint(REVERSING)) is None


def test_a_refused_program_is_not_seen(memory: Memory):
    memory.commit(a_cycle(0, refused=[(SORT, ECHO_WINS)]), state={}, checkpoint="")
    assert memory.seen(fingerprint(SORTING)) is None


def test_only_the_latest_window_of_designs_is_seen(tmp_path: Path):
    with open_memory(tmp_path, window=2) as memory:
        remember(memory, *[(variant(number), teachable()) for number in (5, 6, 7)])
        assert memory.seen(fingerprint(variant(5).source)) is None
        assert memory.seen(fingerprint(variant(6).source)) == variant(6).id


def test_the_nearest_design_is_the_one_that_does_the_same(memory: Memory):
    remember(memory, (SORT, teachable()), (REVERSE, teachable()))
    nearest = memory.nearest(SORTING.replace("range(5)", "range(6)"))
    assert nearest is not None
    assert nearest[0] == SORT.id
    assert nearest[1] > 0.9


def test_nothing_is_near_the_first_maze(memory: Memory):
    remember(memory, (SORT, teachable()))
    assert memory.nearest(MAZES[0]) is None


def seen_by_players(memory: Memory, source: str, text: str) -> None:
    cycle = a_cycle(memory.last_cycle() + 1, [(design_of(source), teachable())])
    episode = replace(cycle.playtests[0].episodes[0], first_observation=text)
    memory.commit(
        replace(cycle, playtests=(replace(cycle.playtests[0], episodes=(episode,)),)), state={}, checkpoint=""
    )


def test_a_program_whose_players_read_the_same_is_less_novel(memory: Memory):
    story = "You stand in a maze of {} rooms whose walls turn after every step. Say north, south, east or west."
    seen_by_players(memory, SORTING, story.format(5))
    seen_by_players(memory, REVERSING, story.format(700))
    seen_by_players(memory, MAZES[0], "A shop sells apples. Which coins pay for them?")
    assert [round(portrait.novelty, 1) for portrait in memory.portraits(3)] == [1.0, 0.0, 1.0]


# --- browsing ---------------------------------------------------------------------------------------


def test_designs_are_found_by_what_is_known_of_them(memory: Memory):
    played = [(SORT, teachable(solve_rate=0.2)), (REVERSE, teachable(solve_rate=0.8))]
    memory.commit(a_cycle(0, played, refused=[(variant(5), ECHO_WINS)]), state={}, checkpoint="")
    found = memory.designs(Wanted(accepted=True, skill=SKILL.name, kind="game", cycles=(0, 0), solve_rates=(0.5, 1)))
    assert [stored.design for stored in found] == [REVERSE]
    assert len(memory.designs()) == 3


def test_an_unambiguous_beginning_of_an_id_is_enough(memory: Memory):
    remember(memory, (SORT, teachable()))
    assert memory.design(SORT.id[:8]).design == SORT


def test_an_unknown_or_ambiguous_id_is_refused(memory: Memory):
    remember(memory, (SORT, teachable()), (REVERSE, teachable()))
    with pytest.raises(StorageError, match="no design"):
        memory.design("zz")
    with pytest.raises(StorageError, match="several designs"):
        memory.design("")
