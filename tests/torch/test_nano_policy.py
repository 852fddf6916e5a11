"""The policy that ships with the package: what it claims to be, what it writes, what it can play."""

from __future__ import annotations

import json
import random
import tomllib
from pathlib import Path

import pytest

from openspade.engine.chat.self_test import examine_template
from openspade.engine.local import LocalEngine
from openspade.engine.model.loading import NANO_FOLDER
from openspade.engine.training.supervised import Stage, StageReport
from openspade.errors import ConfigError
from openspade.nano.all_mechanics import DECLINE, MECHANICS
from openspade.nano.lessons import Lesson, LessonWriter, Mix, documents
from openspade.nano.mechanic import Mechanic
from openspade.nano.pretrain import pretrain, sha256, stream_of
from openspade.roles.prompts import Prompts
from openspade.roles.reply import extract_program
from openspade.roles.source import read_design
from openspade.settings.learning import PolicyConfig, TrainConfig
from openspade.tokens import Completion, Sampling
from openspade.types import Design

PROMPTS = Prompts("compact")
WRITER = LessonWriter(Mix(level_decay=0.62, designer=0.5, good_hint=0.6, worked_unaided=0.2), PROMPTS, documents())


@pytest.fixture(scope="module")
def engine() -> LocalEngine:
    return LocalEngine(PolicyConfig(model="nano", prompts="compact", device="cpu"), TrainConfig())


async def answers(engine: LocalEngine, lessons: list[Lesson], max_tokens: int) -> list[Completion]:
    sampling = Sampling(max_tokens=max_tokens)
    prompts = [engine.chat.start(lesson.opening, lesson.tools).prompt(sampling, n) for n, lesson in enumerate(lessons)]
    return await engine.sample([prompt for prompt in prompts if prompt])


def play_of(mechanic: Mechanic, seed: int) -> Lesson:
    script = mechanic.play(mechanic.draw(1, random.Random(seed)), random.Random(seed), "worked", random.Random(seed))
    opening = PROMPTS.play(script.first, kind=mechanic.kind, hint=mechanic.hints[0])
    return Lesson(
        opening=opening,
        exchanges=script.exchanges,
        tools=(*mechanic.tools, DECLINE) if mechanic.kind == "tool" else (),
    )


def test_the_weights_are_those_of_the_origin_file() -> None:
    origin = json.loads((NANO_FOLDER / "origin.json").read_text(encoding="utf-8"))
    assert sha256(NANO_FOLDER / "model.safetensors") == origin["sha256"]
    assert tomllib.loads(origin["recipe"]) == tomllib.loads(Path("recipes/nano_base.toml").read_text(encoding="utf-8"))


def test_the_package_stays_small() -> None:
    assert sum(file.stat().st_size for file in NANO_FOLDER.iterdir()) < 10_000_000


def test_the_chat_template_breaks_nothing(engine: LocalEngine) -> None:
    assert examine_template(engine.chat).findings == ()


def test_digits_are_single_tokens(engine: LocalEngine) -> None:
    assert engine.chat.count("20486") == 5


async def test_it_writes_readable_programs(engine: LocalEngine) -> None:
    lessons = [WRITER.design(random.Random(f"test/{number}")) for number in range(16)]
    programs = [extract_program(reply.text) for reply in await answers(engine, lessons, 420)]
    assert sum(isinstance(read_design(program or ""), Design) for program in programs) >= 13


async def test_it_solves_easy_games_with_a_good_hint(engine: LocalEngine) -> None:
    games = [mechanic for mechanic in MECHANICS if mechanic.kind == "game" and mechanic.name not in ("hidden", "line")]
    lessons = [play_of(mechanic, seed) for mechanic in games for seed in range(8)]
    replies = await answers(engine, lessons, 80)
    boxed = [lesson.exchanges[0].reply.rpartition("\\boxed")[2] for lesson in lessons]
    assert sum(reply.text.endswith(box) for reply, box in zip(replies, boxed, strict=True)) > 0.5 * len(lessons)


async def test_it_calls_the_tools_of_a_task(engine: LocalEngine) -> None:
    lessons = [play_of(mechanic, seed) for mechanic in MECHANICS if mechanic.kind == "tool" for seed in range(4)]
    replies = await answers(engine, lessons, 80)
    assert sum('<tool_call>{"name": "' in reply.text for reply in replies) >= 10


def test_only_replies_are_learnt(engine: LocalEngine) -> None:
    stream = stream_of(play_of(MECHANICS[0], 3), engine.chat)
    written = engine.chat.tokenizer.decode(
        [token for token, mine in zip(stream.ids, stream.written, strict=True) if mine]
    )
    assert written == play_of(MECHANICS[0], 3).exchanges[0].reply + "<|end|>"


@pytest.fixture
def tiny_recipe(tmp_path: Path) -> Path:
    recipe = tmp_path / "tiny.toml"
    recipe.write_text(
        "tokenizer_lessons = 60\n"
        "[model]\nvocabulary = 400\nwidth = 32\nlayers = 1\nheads = 1\nkey_heads = 1\nhidden = 32\n"
        "[[phases]]\nlessons = 40\nlearning_rate = 1e-3\ndesigner = 0.2\n"
        "[[phases]]\nlessons = 90\nlearning_rate = 1e-3\n",
        encoding="utf-8",
    )
    return recipe


def test_a_pretraining_that_was_killed_goes_on_to_the_same_policy(tiny_recipe: Path, tmp_path: Path) -> None:
    whole = pretrain(tiny_recipe, tmp_path / "whole", plays=0)
    for stage in ("phase 1", "phase 2"):
        with pytest.raises(Killed):
            pretrain(tiny_recipe, tmp_path / "killed", killed_after(stage, step=2), plays=0, save_minutes=0)
    resumed = pretrain(tiny_recipe, tmp_path / "killed", plays=0)
    assert (resumed.sha256, resumed.tokens) == (whole.sha256, whole.tokens)
    assert not list((tmp_path / "killed").glob("phase_*"))


def test_a_pretraining_does_not_go_on_with_another_recipe(tiny_recipe: Path, tmp_path: Path) -> None:
    with pytest.raises(Killed):
        pretrain(tiny_recipe, tmp_path / "one", killed_after("phase 1", step=2), plays=0, save_minutes=0)
    tiny_recipe.write_text(tiny_recipe.read_text(encoding="utf-8") + "designer = 0.5\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="another recipe"):
        pretrain(tiny_recipe, tmp_path / "one", plays=0)


class Killed(Exception):
    pass


def killed_after(name: str, *, step: int) -> StageReport:
    told: list[Stage] = []

    def report(stage: Stage) -> None:
        told.append(stage)
        if [one.name for one in told].count(name) == step:
            raise Killed

    return report
