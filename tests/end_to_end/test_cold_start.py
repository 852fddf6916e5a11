"""A cold start from pools to a policy folder, with the built-in nano policy: it is small enough to learn in seconds."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("torch")

from typer.testing import CliRunner

from openspade.cli.main import app
from openspade.cold_start.cold_start_plan import ColdStartPlan, TokenLesson
from openspade.cold_start.draft_quality import measure
from openspade.cold_start.fit import ColdStart, ColdStartReport, taught_programs
from openspade.cold_start.pool_lessons import make_lessons
from openspade.config import Config
from openspade.engine.chat.chat import TemplateChat
from openspade.engine.model.loading import find_folder, load_chat, load_policy
from openspade.engine.training.supervised import Stage
from openspade.errors import ConfigError
from openspade.recipe import load
from openspade.roles.reply import extract_program
from openspade.roles.source import read_design
from openspade.types import Design

ROOT = Path(__file__).parents[2]
STARTER = ROOT / "src" / "openspade" / "pool" / "starter"
SHORT = ColdStartPlan(pools=("nano",), lessons=12, epochs=2, tokens_per_step=1024, held_out=0.25)


@pytest.fixture
def pool(tmp_path: Path) -> Path:
    folder = tmp_path / "pool"
    folder.mkdir()
    for name in ("number_hunt", "other_base", "heads_and_legs", "parcel_return"):
        (folder / f"{name}.py").write_text((STARTER / f"{name}.py").read_text(encoding="utf-8"), encoding="utf-8")
    return folder


def config(*overrides: str) -> Config:
    return load(None, ["policy.prompts=compact", "policy.context_tokens=4096", "sandbox.workers=1", *overrides])


def nano_chat() -> TemplateChat:
    return load_chat(find_folder("nano"), context_tokens=4096)


def lessons_of(plan: ColdStartPlan, chat: TemplateChat) -> list[TokenLesson]:
    return asyncio.run(make_lessons(config(), plan, chat, lambda _: None))


def run_cold_start(
    folder: Path, plan: ColdStartPlan = SHORT, *, stop_after: int = 1000, settings: Config | None = None
) -> ColdStartReport:
    stops: Iterator[int] = iter(range(stop_after))
    cold_start = ColdStart(settings or config(), plan, folder, lambda _: None)
    return cold_start.run(stopped=lambda: next(stops, stop_after) + 1 >= stop_after, save_minutes=100)


def test_a_pool_teaches_both_roles_in_exact_tokens(pool: Path):
    chat = nano_chat()
    lessons = lessons_of(ColdStartPlan(pools=(str(pool),), lessons=16, designs=0.5, held_out=0.2), chat)
    texts = {role: [_said(one, chat) for one in lessons if one.role == role] for role in ("designer", "agent")}
    assert all(isinstance(read_design(extract_program(text) or ""), Design) for text in texts["designer"])
    assert any("\\boxed{" in text for text in texts["agent"]) and any("<tool_call>" in t for t in texts["agent"])
    assert len(texts["agent"]) == 8 and sum("Hint:" in chat.decode_after(_ids(one)) for one in lessons) == 4


def test_no_version_of_a_held_out_program_is_learnt(pool: Path):
    lessons = lessons_of(ColdStartPlan(pools=(str(pool),), lessons=24, designs=0.8, held_out=0.2), nano_chat())
    titles = {held: {_title(one) for one in lessons if one.held_out == held} for held in (True, False)}
    assert len(titles[True]) == 1 and not titles[True] & titles[False]


def test_the_result_is_a_policy_that_learnt(tmp_path: Path):
    report = run_cold_start(
        tmp_path / "started", ColdStartPlan(pools=("nano",), lessons=12, epochs=2, tokens_per_step=512)
    )
    assert report.finished and report.steps > 4
    assert load_policy(str(report.folder), context_tokens=1024).chat.end_of_turn is not None
    assert taught_programs(report.folder) and not (report.folder / "checkpoint").exists()


def test_a_stopped_cold_start_goes_on_to_the_same_weights(tmp_path: Path):
    whole = run_cold_start(tmp_path / "whole")
    stopped = run_cold_start(tmp_path / "parts", stop_after=2)
    resumed = run_cold_start(tmp_path / "parts")
    assert not stopped.finished and stopped.steps == 2 and resumed.finished
    weights = [(report.folder / "model.safetensors").read_bytes() for report in (whole, resumed)]
    assert weights[0] == weights[1]


def test_a_folder_with_another_cold_start_is_refused(tmp_path: Path):
    run_cold_start(tmp_path / "started", stop_after=1)
    with pytest.raises(ConfigError, match="plan"):
        run_cold_start(tmp_path / "started", ColdStartPlan(pools=("nano",), lessons=14))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").touch()
    with pytest.raises(ConfigError, match="not empty"):
        run_cold_start(tmp_path / "mine")


def test_a_context_that_holds_no_lesson_is_refused_and_leaves_the_folder_free(tmp_path: Path):
    with pytest.raises(ConfigError, match="context_tokens=16"):
        run_cold_start(tmp_path / "started", settings=config("policy.context_tokens=16"))
    assert run_cold_start(tmp_path / "started", stop_after=1).steps == 1


def test_an_adapter_ends_up_in_ordinary_weights(tmp_path: Path):
    report = run_cold_start(tmp_path / "started", settings=config("policy.lora_rank=4"))
    names = {name for name, _ in load_policy(str(report.folder), context_tokens=1024).model.named_parameters()}
    assert report.finished and not any("lora" in name for name in names)


def test_copies_among_accepted_drafts_are_counted():
    settings = config("policy.context_tokens=1024", "designer.max_tokens=320")
    fresh = asyncio.run(measure(settings, (), 4))
    sources = [v.draft.design.source for v in fresh.verdicts if v.draft.design]
    again = asyncio.run(measure(settings, sources, 4))
    assert again.accepted == fresh.accepted > 0
    assert (fresh.copies, fresh.alike) == (0, 0) and (again.copies, again.alike) == (again.accepted, again.accepted)


def test_progress_is_told_stage_by_stage(tmp_path: Path):
    told: list[Stage] = []
    ColdStart(config(), SHORT, tmp_path / "started", told.append).run(stopped=lambda: False, save_minutes=100)
    names = list(dict.fromkeys(stage.name for stage in told))
    assert names == ["policy", "held-out loss before", "learning", "held-out loss after"]
    assert told[-2].done == 1


def _ids(lesson: TokenLesson) -> tuple[int, ...]:
    return lesson.streams[0].ids


def _said(lesson: TokenLesson, chat: TemplateChat) -> str:
    stream = lesson.streams[0]
    ids = [one for one, written in zip(stream.ids, stream.written, strict=True) if written]
    return chat.decode_after([one for one in ids if one not in chat.stop_ids])


def _title(lesson: TokenLesson) -> str:
    found = read_design(lesson.source)
    assert isinstance(found, Design)
    return found.title


def test_a_folder_begun_under_the_old_name_goes_on(tmp_path: Path):
    run_cold_start(tmp_path / "started", stop_after=1)
    (tmp_path / "started" / "cold_start.json").rename(tmp_path / "started" / "warmup.json")
    assert run_cold_start(tmp_path / "started", stop_after=1).steps == 2


def test_the_old_command_still_works_and_says_the_new_name():
    told = CliRunner().invoke(app, ["warmup", "nano", "-o", "unused", "--lessons", "2", *["--pool", "nano"] * 3])
    assert told.stderr.count("cold-start") == 1
    assert isinstance(told.exception, ConfigError)
