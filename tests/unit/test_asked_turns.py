"""A skill may ask for environments that take several turns: it stands in the table and in the Designer's brief."""

from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

from openspade.curriculum.skills import load_skills
from openspade.errors import ConfigError
from openspade.roles.prompts import Prompts
from openspade.settings.worlds import CurriculumConfig
from openspade.types import Skill
from tests.fakes import a_brief


def table(folder: Path, turns: str) -> tuple[Skill, ...]:
    path = folder / "skills.toml"
    path.write_text(f'[probing]\nkind = "game"\ndescription = "Find out by trying."\nturns = "{turns}"\n')
    return load_skills(CurriculumConfig(skills=("probing", "optimisation"), skills_file=str(path)))


def test_a_skill_in_a_table_may_ask_for_several_turns(tmp_path: Path) -> None:
    assert [skill.turns for skill in table(tmp_path, "several")] == ["several", "any"]


def test_another_number_of_turns_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="turns"):
        table(tmp_path, "seven")


@pytest.mark.parametrize("style", ["compact", "full"])
def test_the_brief_says_so_and_says_nothing_otherwise(style: Literal["compact", "full"]) -> None:
    brief = a_brief()
    asking = replace(brief, skill=replace(brief.skill, turns="several"))
    said = [Prompts(style).design(one)[-1].content.lower() for one in (asking, brief)]
    assert ["several turns" in words for words in said] == [True, False]
