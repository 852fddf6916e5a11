"""Exports for verifiers, both interfaces, played by verifiers itself with a stub model."""

import json
from pathlib import Path

import pytest

from tests.interop.targets import exported, interpreter, make_pool, run_there


def _serve(target: str, folder: Path, calls: str, *command: object) -> str:
    told = run_there(interpreter(target), "serve_stub.py", folder, calls, *command, timeout_s=900)
    assert told["rc"] == 0, told["output"]
    return told["output"]


def _rows(folder: Path, name: str) -> list[dict]:
    (found,) = folder.rglob(name)
    return [json.loads(line) for line in found.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def one_of_each(tmp_path_factory):
    return make_pool(tmp_path_factory.mktemp("verifiers") / "pool", ["black_box", "stock_room"])


def test_verifiers_pays_what_our_sandbox_pays(twenty, scores, tmp_path):
    exported("verifiers", tmp_path / "envs_one", twenty)
    assert run_there(interpreter("verifiers"), "play_verifiers.py", tmp_path / "envs_one") == {"scores": scores}


def test_vf_validate_finds_every_gold_solution_valid(twenty, tmp_path):
    exported("verifiers", tmp_path / "envs_one", twenty)
    command = ("vf-validate", "envs_one", "--runtime.type", "subprocess", "-o", tmp_path / "out")
    _serve("verifiers", tmp_path / "envs_one", "calls", *command)
    rows = _rows(tmp_path / "out", "results.jsonl")
    assert [row["valid"] for row in rows] == [True] * 160


@pytest.mark.large
def test_vf_eval_scores_a_game_and_a_tool_task_with_native_tools(one_of_each, tmp_path):
    exported("verifiers", tmp_path / "envs_one", one_of_each)
    options = ("--client.base-url", "URL", "--client.api-key-var", "NO_KEY", "--env.player.runtime.type", "subprocess")
    chosen = ("--select.include.idx", "[0,8,16,24]", "--no-push", "-m", "stub", "-r", "1")
    command = ("vf-eval", "marked", *chosen, *options, "-o", tmp_path / "out")
    _serve("verifiers", tmp_path / "envs_one", "calls", *command)
    rows = _rows(tmp_path / "out", "traces.jsonl")
    assert all(row["ok"] for row in rows)
    earned = {row["task"]["data"]["id"].split("/")[0]: set() for row in rows}
    for row in rows:
        earned[row["task"]["data"]["id"].split("/")[0]].add(row["traces"][0]["rewards"]["achieved"]["score"])
    assert earned == {"solution": {1.0}, "naive": {0.0}}
    assert len(rows) == 4


def test_old_verifiers_pays_what_our_sandbox_pays(twenty, scores, tmp_path):
    exported("verifiers-v0", tmp_path / "envs_zero", twenty)
    told = run_there(interpreter("verifiers-v0"), "play_verifiers_v0.py", tmp_path / "envs_zero")
    assert told == {"scores": scores}


def test_old_vf_eval_scores_a_game_and_a_tool_task(one_of_each, tmp_path):
    exported("verifiers-v0", tmp_path / "envs_zero", one_of_each)
    options = ("-b", "URL", "-k", "NO_KEY", "-m", "stub", "-n", "16", "-r", "1", "-s", "-o", tmp_path / "out")
    _serve("verifiers-v0", tmp_path / "envs_zero", "messages", "vf-eval", "envs_zero", *options)
    assert [row["reward"] for row in _rows(tmp_path / "out", "results.jsonl")] == [1.0] * 16
