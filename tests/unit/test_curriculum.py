"""What the Designer is asked for, cycle by cycle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from openspade.curriculum.briefs import Curriculum
from openspade.curriculum.corpus import Corpus
from openspade.curriculum.skills import load_skills, skills_of_cycle
from openspade.errors import ConfigError
from openspade.memory.memory import Memory
from openspade.settings.worlds import CurriculumConfig, CycleConfig
from openspade.types import Replay
from tests.unit.mechanics import OTHERS
from tests.unit.memories import SORTING, design_of, open_memory, remember, teachable
from tests.unit.test_corpus import rows_of, write

ONE_SKILL = CurriculumConfig(skills=("optimisation",))
SORT = design_of(SORTING)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with open_memory(tmp_path) as opened:
        yield opened


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return Corpus.open(write(tmp_path, rows_of(a=40, b=40)), run_seed=1)


def a_curriculum(memory: Memory, corpus: Corpus | None = None, config: CurriculumConfig = ONE_SKILL) -> Curriculum:
    return Curriculum(config, CycleConfig(briefs=6, replays=1), memory, corpus, 1)


# --- skills -----------------------------------------------------------------------------------------


def test_the_table_holds_six_game_and_six_tool_skills():
    assert Counter(skill.kind for skill in load_skills(CurriculumConfig())) == {"game": 6, "tool": 6}


def test_chosen_skills_come_in_the_order_chosen():
    chosen = ("tool selection", "optimisation")
    assert tuple(skill.name for skill in load_skills(CurriculumConfig(skills=chosen))) == chosen


def test_an_unknown_skill_is_refused_with_a_suggestion():
    with pytest.raises(ConfigError, match="did you mean 'optimisation'"):
        load_skills(CurriculumConfig(skills=("optimization",)))


def test_a_users_table_adds_and_replaces(tmp_path: Path):
    table = tmp_path / "skills.toml"
    table.write_text(
        '["chess"]\nkind = "game"\ndescription = "Mate."\n[optimisation]\nkind = "tool"\ndescription = "x"'
    )
    skills = {skill.name: skill for skill in load_skills(CurriculumConfig(skills_file=str(table)))}
    assert skills["chess"].description == "Mate."
    assert skills["optimisation"].kind == "tool"


@pytest.mark.parametrize("text", ["[a", '[chess]\nkind = "sport"\ndescription = ""', '[chess]\nkind = "game"'])
def test_a_broken_skill_table_is_refused_with_its_name(tmp_path: Path, text: str):
    table = tmp_path / "skills.toml"
    table.write_text(text)
    with pytest.raises(ConfigError, match=r"skills\.toml is not a skill table"):
        load_skills(CurriculumConfig(skills_file=str(table)))


@pytest.mark.parametrize("width", [1, 3, 5, 12, 20])
def test_every_skill_has_its_turn_equally_often(width: int):
    skills = load_skills(CurriculumConfig())
    turns = Counter(skill.name for cycle in range(12) for skill in skills_of_cycle(skills, width, 1, cycle))
    assert len(turns) == 12
    assert len(set(turns.values())) == 1


# --- briefs -----------------------------------------------------------------------------------------


def test_a_brief_carries_skill_document_exemplar_and_negative(memory: Memory, corpus: Corpus):
    remember(memory, (SORT, teachable()), (design_of(OTHERS[1], "Reverse."), teachable(solve_rate=1)))
    brief = a_curriculum(memory, corpus).briefs(1)[0]
    assert brief.skill.name == "optimisation"
    assert brief.document is not None
    assert [exemplar.design for exemplar in brief.exemplars] == [SORT]
    assert [negative.mechanic for negative in brief.negatives] == ["Reverse. [numbers 1, 9, 5]"]


def test_without_corpus_a_brief_has_no_document(memory: Memory):
    assert {brief.document for brief in a_curriculum(memory).briefs(0)} == {None}


def test_with_memory_off_briefs_show_no_past_but_it_is_kept(tmp_path: Path):
    with open_memory(tmp_path, enabled=False) as memory:
        remember(memory, (SORT, teachable()), (design_of(OTHERS[1]), teachable(solve_rate=1)))
        briefs = a_curriculum(memory).briefs(1)
        assert {(brief.exemplars, brief.negatives, brief.avoid) for brief in briefs} == {((), (), ())}
        assert len(memory.designs()) == 2


def test_briefs_spread_over_the_skills_whose_turn_it_is(memory: Memory):
    briefs = a_curriculum(memory, config=CurriculumConfig(skills_per_cycle=3)).briefs(0)
    assert sorted(Counter(brief.skill.name for brief in briefs).values()) == [2, 2, 2]


def test_every_brief_has_its_own_id_seed_and_document(memory: Memory, corpus: Corpus):
    briefs = a_curriculum(memory, corpus).briefs(0)
    assert len({brief.id for brief in briefs}) == len({brief.seed for brief in briefs}) == 6
    assert len({brief.document.id for brief in briefs if brief.document}) == 6


def test_a_resumed_curriculum_asks_for_the_same(memory: Memory, tmp_path: Path):
    path = write(tmp_path, rows_of(a=9, b=5))
    undisturbed = a_curriculum(memory, Corpus.open(path, run_seed=1))
    undisturbed.briefs(0)
    state = undisturbed.state()
    resumed = a_curriculum(memory, Corpus.open(path, run_seed=1))
    resumed.restore(state)
    assert resumed.briefs(1) == undisturbed.briefs(1)
    assert resumed.replays(1) == undisturbed.replays(1)


def test_replays_come_from_memory(memory: Memory):
    remember(memory, (SORT, teachable()))
    assert a_curriculum(memory).replays(1) == (Replay(design=SORT),)


def test_coverage_is_reported(memory: Memory, corpus: Corpus):
    curriculum = a_curriculum(memory, corpus)
    curriculum.briefs(0)
    assert curriculum.metrics()["curriculum/document_coverage_share"] == 6 / 80
