"""The collapse alarm: it fires while a Designer writes one thing over and over, and ends when it does not."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from openspade.curriculum.briefs import Curriculum
from openspade.curriculum.collapse import WINDOW, diversity
from openspade.memory.memory import Memory
from openspade.settings.worlds import CurriculumConfig, CycleConfig
from openspade.types import Brief, Design
from tests.unit.mechanics import MAZES, OTHERS
from tests.unit.memories import design_of, open_memory, remember, teachable

ONE_SKILL = CurriculumConfig(skills=("optimisation",))


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with open_memory(tmp_path) as opened:
        yield opened


def a_curriculum(memory: Memory) -> Curriculum:
    return Curriculum(ONE_SKILL, CycleConfig(briefs=6), memory, None, 1)


def a_maze(number: int) -> Design:
    """What a Designer writes that is stuck: other words and sizes, the same maze."""
    source = MAZES[number % len(MAZES)].replace("25", str(20 + number))
    return design_of(source + f"# {number}\n", ("Rotating maze.", "Rotating maze.", "Spinning labyrinth.")[number % 3])


def write_mazes(memory: Memory, numbers: range) -> None:
    remember(memory, *[(a_maze(number), teachable()) for number in numbers])


def another(number: int) -> Design:
    game = number % len(OTHERS)
    return design_of(f"{OTHERS[game]}# {number}\n", f"Game {game}.")


def write_others(memory: Memory, numbers: range) -> None:
    remember(memory, *[(another(number), teachable()) for number in numbers])


def alarm(curriculum: Curriculum, cycle: int) -> bool:
    curriculum.briefs(cycle)
    return curriculum.metrics()["curriculum/collapse_alarm"] == 1


def test_a_designer_that_writes_only_mazes_raises_the_alarm_within_forty_designs(memory: Memory):
    curriculum = a_curriculum(memory)
    write_mazes(memory, range(12))
    assert not alarm(curriculum, 12)
    write_mazes(memory, range(12, 13))
    assert alarm(curriculum, 13)


def test_a_maze_writer_is_shown_no_maze_and_told_to_avoid_it(memory: Memory):
    write_others(memory, range(3))
    write_mazes(memory, range(20))
    briefs = a_curriculum(memory).briefs(23)
    assert {brief.avoid for brief in briefs} == {("Rotating maze.",)}
    assert all("aze" not in exemplar.design.source for brief in briefs for exemplar in brief.exemplars)
    assert all(brief.exemplars for brief in briefs)


def test_the_alarm_ends_when_other_designs_are_written(memory: Memory):
    curriculum = a_curriculum(memory)
    write_mazes(memory, range(20))
    assert alarm(curriculum, 20)
    write_others(memory, range(30))
    assert not alarm(curriculum, 50)
    assert curriculum.briefs(51)[0].avoid == ()


def test_a_varied_designer_raises_no_alarm(memory: Memory):
    curriculum = a_curriculum(memory)
    write_others(memory, range(40))
    assert not alarm(curriculum, 40)
    assert curriculum.metrics()["curriculum/clusters_count"] == len(OTHERS)


def obedient_maze_writer(brief: Brief, number: int) -> Design:
    """Writes mazes as long as it is shown one or is not told to leave them."""
    shown = any("aze" in exemplar.design.source for exemplar in brief.exemplars)
    return a_maze(number) if shown or not brief.avoid else another(number)


def test_a_maze_writer_that_is_offered_other_material_leaves_the_maze_within_forty_designs(memory: Memory):
    curriculum = a_curriculum(memory)
    alarms: list[bool] = []
    for cycle in range(2 * WINDOW // 6 + 1):
        briefs = curriculum.briefs(cycle)
        alarms.append(curriculum.metrics()["curriculum/collapse_alarm"] == 1)
        written = [obedient_maze_writer(brief, 6 * cycle + place) for place, brief in enumerate(briefs)]
        remember(memory, *[(design, teachable()) for design in written])
    fired = alarms.index(True)
    assert 6 * fired <= WINDOW
    assert not all(alarms[fired : fired + WINDOW // 6 + 1])
    assert [event.kind for event in memory.events()][:2] == ["collapse", "recovery"]


def test_the_alarm_is_told_once_and_so_is_its_end(memory: Memory, caplog: pytest.LogCaptureFixture):
    curriculum = a_curriculum(memory)
    with caplog.at_level(logging.WARNING):
        write_mazes(memory, range(14))
        curriculum.briefs(14)
        curriculum.briefs(15)
        write_others(memory, range(WINDOW))
        curriculum.briefs(16)
    told = [f"cycle {event.cycle}: {event.text}" for event in memory.events()]
    assert [record.message for record in caplog.records] == told
    assert told[0] == (
        "cycle 14: 14 of the last 40 accepted designs are one mechanic ('Rotating maze.'); briefs now ask to avoid it"
    )
    assert (memory.events()[1].cycle, memory.events()[1].kind) == (16, "recovery")


def test_a_resumed_run_is_not_told_again(memory: Memory):
    write_mazes(memory, range(14))
    before = a_curriculum(memory)
    before.briefs(14)
    resumed = a_curriculum(memory)
    resumed.restore(before.state())
    resumed.briefs(15)
    assert len(memory.events()) == 1


def test_nothing_written_is_not_collapse():
    assert diversity((), 0.3).clusters == ()
