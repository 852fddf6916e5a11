"""Recipes by name: what ships with the package is found from anywhere."""

import json
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from openspade.cli.main import app
from openspade.errors import ConfigError
from openspade.nano.base_recipe import read_recipe
from openspade.recipe import load
from openspade.shipped import find_recipe, shipped_recipes

RECIPES = shipped_recipes()


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_each_is_whole_and_says_in_one_line_what_it_is(recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert 20 < len(recipe.about) < 121
    assert read_recipe(recipe.path) if not recipe.trains else load(Path(recipe.name))


def test_a_name_and_the_path_of_a_clone_give_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert load(Path("nano")) == load(Path("nano.toml")) == load(Path("recipes/nano.toml"))


def test_files_that_a_recipe_names_are_found_from_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    config = load(Path("experiments/six"))
    assert Path(config.corpus.path).is_file() and Path(config.evaluate.suite).is_file()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("nana", "did you mean nano?"),
        ("smolm2", "did you mean smollm2?"),
        ("zzzz", "openspade recipes"),
        (".", "a folder"),
    ],
)
def test_a_wrong_name_is_told_the_nearest(given: str, said: str) -> None:
    with pytest.raises(ConfigError, match="recipe") as error:
        find_recipe(Path(given))
    assert said in str(error.value)


@pytest.mark.parametrize("recipe", [one for one in RECIPES if one.trains], ids=lambda recipe: recipe.name)
def test_what_init_writes_is_the_same_recipe(recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["init", "mine.toml", "--from", recipe.name])
    assert done.exit_code == 0
    assert load(Path("mine.toml")) == load(Path(recipe.name))
    again = CliRunner().invoke(app, ["init", "mine.toml", "--from", recipe.name])
    assert isinstance(again.exception, ConfigError) and "is there already" in str(again.exception)


def test_the_list_for_a_machine_names_all(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = json.loads(CliRunner().invoke(app, ["recipes", "--json"]).stdout)
    assert {row["name"] for row in rows} >= {"nano", "tutorial", "smollm2", "experiments/six"}
    assert {row["command"] for row in rows} == {"train", "pretrain"}


def test_the_wheel_is_told_to_carry_them() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"] == {"recipes": "openspade/recipes"}
