"""What the nano policy is pretrained on, its documents, and the suite that it never sees."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from statistics import fmean

from benchmarks.nano_reading import level_of
from benchmarks.nano_suites import FIRST_SEED, LEVELS, RANGES, as_lines, make_suite

from openspade.chance import environment_seed
from openspade.nano.all_mechanics import MECHANICS, VAGUE_HINTS, mechanic
from openspade.nano.lessons import Lesson, LessonWriter, Mix, documents, draw_level
from openspade.nano.measure import SUITE
from openspade.roles.prompts import Prompts
from openspade.roles.reply import extract_program
from openspade.roles.source import read_design
from openspade.types import Design

MIX = Mix(level_decay=0.62, designer=0.5, good_hint=0.6, worked_unaided=0.2)


WRITER = LessonWriter(MIX, Prompts("compact"), documents())


def program_of(lesson: Lesson) -> Design:
    found = read_design(extract_program(lesson.exchanges[0].reply) or "")
    assert isinstance(found, Design)
    return found


def worked_share(lessons: list[Lesson], hints: set[str]) -> float:
    """How many of the plays with one of these hints have steps before the answer."""
    told = [lesson for lesson in lessons if lesson.opening[1].content.partition("Hint: ")[2] in hints]
    return sum(not lesson.exchanges[-1].reply.startswith(("\\boxed", "<tool_call>")) for lesson in told) / len(told)


def test_every_mechanic_has_its_documents() -> None:
    found = Counter(document.source.partition(":")[2] for document in documents())
    assert set(found) == {one.name for one in MECHANICS}
    assert min(found.values()) >= 4
    assert len(documents()) >= 60


def test_documents_are_short_and_licensed() -> None:
    assert len({document.id for document in documents()}) == len(documents())
    assert all(20 <= len(document.text.split()) <= 50 for document in documents())
    assert all(document.licence == "MIT" for document in documents())


def test_the_same_seed_gives_the_same_lesson() -> None:
    first, second = ([WRITER.lesson(random.Random(i)) for i in range(20)] for _ in range(2))
    assert first == second


def test_every_program_of_a_lesson_is_a_design() -> None:
    lessons = [WRITER.design(random.Random(i)) for i in range(60)]
    assert all(program_of(lesson).title for lesson in lessons)


def test_the_program_follows_the_document() -> None:
    lessons = [WRITER.design(random.Random(i)) for i in range(100)]
    by_text = {document.text: document.source.partition(":")[2] for document in documents()}
    for lesson in lessons:
        told = next((name for text, name in by_text.items() if text in lesson.opening[1].content), None)
        assert told is None or f"class {told.capitalize()}(" in lesson.exchanges[0].reply


def test_the_program_has_the_skill_of_the_brief() -> None:
    for number in range(40):
        lesson = WRITER.design(random.Random(number))
        assert lesson.opening[1].content.startswith(f"Skill: {program_of(lesson).skill}\n")


def test_a_good_hint_goes_with_worked_steps_and_a_vague_one_mostly_not() -> None:
    lessons = [WRITER.play(random.Random(i)) for i in range(600)]
    good = {hint for one in MECHANICS for hint in one.hints}
    assert worked_share(lessons, good) > 0.9
    assert worked_share(lessons, {*VAGUE_HINTS}) < 0.4


def test_steps_are_written_unasked_the_rarer_the_higher_the_level() -> None:
    fading = replace(MIX, worked_unaided=0.8, worked_decay=0.5)
    shares = []
    for level_decay in (0.01, 1.0):
        writer = LessonWriter(replace(fading, level_decay=level_decay), Prompts("compact"), documents())
        shares.append(worked_share([writer.play(random.Random(i)) for i in range(300)], {*VAGUE_HINTS}))
    assert shares[0] > 0.7 and shares[1] < 0.35


def test_a_program_is_mostly_easy_where_its_brief_says_nothing_of_the_level() -> None:
    easy, even = (
        LessonWriter(replace(MIX, design_decay=decay), Prompts("compact"), documents()) for decay in (0.5, 1.0)
    )
    levels = [
        [found[1] for i in range(80) if (found := level_of(program_of(writer.design(random.Random(i)))))]
        for writer in (easy, even)
    ]
    assert fmean(levels[0]) + 0.5 < fmean(levels[1])


def test_high_levels_are_rare() -> None:
    levels = Counter(draw_level(0.62, random.Random(i)) for i in range(3000))
    assert levels[1] > levels[3] > levels[5] > levels[8] > 0


def test_the_frozen_suite_is_the_defined_one() -> None:
    text = SUITE.read_text(encoding="utf-8")
    assert text == as_lines(make_suite())
    assert text.count("\n") >= 40


def test_held_out_seeds_lie_above_all_others() -> None:
    assert all(seed >= FIRST_SEED for design in make_suite() for seed in design.seeds)
    assert all(environment_seed(run, "design", i) < FIRST_SEED for run in range(5) for i in range(50))


def test_held_out_ranges_are_mostly_in_no_pretraining_program() -> None:
    new = {
        name
        for name, (low, high) in RANGES.items()
        if low not in mechanic(name).lows or high not in mechanic(name).highs
    }
    assert new == {one.name for one in MECHANICS} - {"line", "truth"}


def test_the_suite_has_turns_tools_and_levels() -> None:
    families = {design.family for design in make_suite()}
    assert families >= {"hidden", "line", "prices", "fill", "ring"}
    assert all(len(levels) >= 3 for levels in LEVELS.values())
