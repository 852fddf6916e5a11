"""What a recipe will ask for, by arithmetic that a reader can redo."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from openspade.errors import ConfigError
from openspade.plan.estimate import Habits, Speed, memory_of, work_of
from openspade.plan.shape import shape_of
from openspade.recipe import load, parse

RECIPES = sorted((Path(__file__).parents[2] / "recipes").glob("*.toml"))
HABITS = Habits(accepted_share=0.5, brief_tokens=100, draft_tokens=200, turns=3, turn_tokens=10, observation_tokens=20)
SMALL = parse({"cycle": {"briefs": 2, "drafts_per_brief": 4, "replays": 1}, "playtest": {"seeds": 2, "plays": 3}})


@pytest.mark.parametrize("recipe", [r for r in RECIPES if not r.stem.endswith("_base")], ids=lambda recipe: recipe.name)
def test_every_recipe_is_a_config_and_has_a_plan_and_says_how_it_is_started(recipe: Path):
    config = load(recipe)
    assert work_of(config, Habits.usual(config)).sampled_tokens > 0
    assert "ommand" in recipe.read_text(encoding="utf-8").split("\n\n")[0]


def test_episodes_are_designs_times_plays_and_replays_are_unaided():
    work = work_of(SMALL, HABITS)
    assert (work.drafts, work.designs, work.unaided_episodes, work.hinted_episodes) == (8, 4, 30, 24)


def test_tokens_are_those_of_drafts_and_of_turns():
    work = work_of(SMALL, HABITS)
    assert work.requests == 8 + 54 * 3
    assert work.sampled_tokens == 8 * 200 + 54 * 30
    assert work.trained_tokens == 8 * 300 + 30 * (30 + 80)


def test_a_design_that_lives_for_three_cycles_is_played_three_times_as_often():
    longer = SMALL.model_copy(update={"cycle": SMALL.cycle.model_copy(update={"reuse": 3})})
    assert work_of(longer, HABITS).hinted_episodes == 3 * work_of(SMALL, HABITS).hinted_episodes


def test_hours_are_tokens_by_throughput_and_unknown_without_one():
    work = work_of(SMALL, HABITS)
    speed = Speed(sampled_per_s=work.sampled_tokens, trained_per_s=work.trained_tokens / 3)
    assert speed.hours(work, 900) == pytest.approx(1.0)
    assert replace(speed, trained_per_s=0).hours(work, 900) is None


def test_a_folders_own_config_gives_the_shape(tmp_path: Path):
    config = {"hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16}
    (tmp_path / "config.json").write_text(json.dumps({**config, "vocab_size": 10, "tie_word_embeddings": True}))
    assert shape_of(str(tmp_path)).parameters == 2 * (4 * 8 * 8 + 3 * 8 * 16) + 8 * 10


def test_an_unknown_model_is_named_with_those_that_are_known():
    with pytest.raises(ConfigError, match="did you mean Qwen/Qwen3-8B"):
        shape_of("Qwen/Qwen3-8b")


def test_an_adapter_needs_a_small_optimiser():
    lora = parse({"policy": {"model": "Qwen/Qwen3-4B-Instruct-2507", "lora_rank": 32}})
    full = parse({"policy": {"model": "Qwen/Qwen3-4B-Instruct-2507"}})
    shape = shape_of(lora.policy.model)
    assert memory_of(lora, shape).optimiser < 0.02 * memory_of(full, shape).optimiser
    assert memory_of(full, shape).weights == pytest.approx(4.02e9 * 4 / 2**30)


@pytest.mark.parametrize("recipe", [r for r in RECIPES if "# tokens sampled" in r.read_text()], ids=lambda r: r.name)
def test_the_figures_at_the_end_of_a_recipe_are_the_plans(recipe: Path):
    config, text = load(recipe), recipe.read_text(encoding="utf-8")
    work = work_of(config, Habits.usual(config))
    for name, value in (("tokens sampled", work.sampled_tokens), ("requests", work.requests)):
        assert f"# {name:<22}{value:>14,.0f}{value * config.run.cycles:>16,.0f}" in text
