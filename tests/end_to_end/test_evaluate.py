"""Policies that need no model, on the suites that are shipped, in the real sandbox."""

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from typer.testing import CliRunner

from openspade.cli.main import app
from openspade.errors import SandboxError
from openspade.evaluation.evaluate import Score, score_of
from openspade.evaluation.references import Reference, References
from openspade.evaluation.suites import HeldOutTask, load_suite
from openspade.roles.source import read_design
from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.settings.worlds import PlaytestConfig, SandboxConfig
from openspade.types import Action, Design, StepResult
from tests.unit.mechanics import question

ROOT = Path(__file__).parents[2]
NO_SOLUTION = question("Add.", "self.x = rng.randint(1, 9)", "f'{self.x} + 1?'", "str(1 // 0)")
WAYS_OUT = (
    "().__class__.__base__.__subclasses__()",
    "__import__('os').getpid()",
    "(lambda: 1)()",
    "[c for c in x]",
    "9 ** 999 ** 999",
    "open('/etc/passwd')",
    "x.format(x)",
    "x" + " + x" * 100,
)


@pytest.fixture
async def pool() -> AsyncIterator[SandboxPool]:
    async with SandboxPool(SandboxConfig(workers=1)) as sandbox:
        yield sandbox


async def scored(pool: SandboxPool, suite: str, policy: Reference) -> Score:
    tasks = load_suite(suite)
    return score_of(tasks, await References(pool, tasks, PlaytestConfig()).play(policy))


@pytest.mark.parametrize("suite", ["mini", "nano"])
async def test_who_knows_everything_scores_all_and_who_says_nothing_scores_nothing(pool: SandboxPool, suite: str):
    oracle, null = await scored(pool, suite, "oracle"), await scored(pool, suite, "null")
    assert (oracle.mean, null.mean) == (1.0, 0.0)
    assert oracle.void == null.void == 0


# The four without an answer of upstream's; the longest question and answer; scorers that need data, numpy or sympy.
SAMPLE = {
    *("graph_color", "propositional_logic", "rubiks_cube", "rush_hour", "circuit_logic", "tower_of_hanoi"),
    *("word_ladder", "sokoban", "arc_agi", "intermediate_integration"),
}


@pytest.mark.skipif(find_spec("reasoning_gym") is None, reason="needs the extra `eval`")
async def test_hard_questions_are_won_by_their_solutions_and_not_by_silence(pool: SandboxPool):
    tasks = [task for task in load_suite("rg_hard") if task.name in SAMPLE]
    references = References(pool, tasks, PlaytestConfig())
    oracle = score_of(tasks, await references.play("oracle"))
    null = score_of(tasks, await references.play("null"))
    assert (oracle.mean, null.mean) == (1.0, 0.0)
    assert (oracle.episodes, oracle.void) == (null.episodes, null.void) == (40, 0)


@pytest.mark.parametrize("policy", ["constant", "random", "copy"])
async def test_no_task_of_the_mini_suite_is_won_without_reading_it(pool: SandboxPool, policy: Reference):
    score = await scored(pool, "mini", policy)
    assert max(score.families.values()) <= 0.35
    assert score.void == 0


@pytest.mark.parametrize("answer", WAYS_OUT)
async def test_code_that_reaches_out_or_runs_long_is_a_wrong_answer(pool: SandboxPool, answer: str):
    task = next(task for task in load_suite("mini") if task.family == "mini_code")
    async with await pool.open(task.design.source) as environment:
        await environment.reset([task.seeds[0]])
        result = (await environment.step({0: Action(text=answer)}))[0]
    assert isinstance(result, StepResult)
    assert (result.reward, result.terminated) == (0.0, True)


async def test_a_suite_whose_program_has_no_solution_is_an_error(pool: SandboxPool):
    design = read_design(NO_SOLUTION)
    assert isinstance(design, Design)
    task = HeldOutTask(family="sums", level=1, design=design, seeds=(1,))
    with pytest.raises(SandboxError, match=r"sums 1 .* without a solution"):
        await References(pool, [task], PlaytestConfig()).play("oracle")


def test_an_evaluation_leaves_everything_needed_to_check_it(tmp_path: Path):
    words = ["evaluate", "--suite", "mini", "--policy", "constant", "--output", str(tmp_path), "--json"]
    record = json.loads(CliRunner().invoke(app, words).output)
    samples = [json.loads(line) for line in (tmp_path / "samples.jsonl").read_text().splitlines()]
    assert json.loads((tmp_path / "results.json").read_text()) == record
    assert len(samples) == record["score"]["episodes"] == 256
    assert record["score"]["mean"] == record["floors"]["constant"]["mean"]
    assert {"sha256", "name"} <= record["suite"].keys()
    assert samples[0]["turns"][0]["reply"]


def test_a_run_is_scored_by_its_latest_weights(tmp_path: Path):
    suite = tmp_path / "mine.jsonl"
    suite.write_text((ROOT / "src" / "openspade" / "nano" / "heldout.jsonl").read_text().splitlines()[0])
    settings = [f"run.directory={tmp_path}", "run.cycles=1", "cycle.briefs=1", "playtest.seeds=1"]
    assert CliRunner().invoke(app, ["train", str(ROOT / "recipes" / "tutorial.toml"), *settings]).exit_code == 0
    run = tmp_path / "tutorial"
    result = CliRunner().invoke(app, ["evaluate", "--policy", str(run), "--suite", str(suite), "--json"])
    record = json.loads(result.output)
    assert record["policy"] == {"run": str(run), "model": "nano", "cycles": 1, "checkpoint": "cycle_000000"}
    assert record["sampling"]["temperature"] == 1.0
    assert (run / "evaluations" / "mine-run" / "samples.jsonl").exists()


@pytest.mark.skipif(find_spec("reasoning_gym") is None, reason="needs the extra `eval`")
@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_the_frozen_suite_is_the_one_its_script_makes(hash_seed: str):
    words = [sys.executable, "benchmarks/mini_suite.py", "check"]
    done = subprocess.run(words, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": hash_seed}, check=False)
    assert done.returncode == 0
