"""Held-out suites as files, and the score of what was played on them."""

import json
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest

from openspade.errors import ConfigError
from openspade.evaluation.evaluate import score_of
from openspade.evaluation.suites import HeldOutTask, read_suite
from tests.fakes import a_design, a_playtest
from tests.unit.mechanics import question

MINI_SHA256 = "b78b0bde03425cebb322a8364893116861206b8745ed882e9210c2698485942c"
SOURCE = question("Add.", "self.x = rng.randint(1, 9)", "f'{self.x} + 1?'", "str(self.x + 1)")


def a_suite(folder: Path, **changes: object) -> str:
    row = {"family": "sums", "level": 1, "source": SOURCE, "seeds": [1, 2], **changes}
    path = folder / "mine.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    return str(path)


def a_task(*, questions: bool = False) -> HeldOutTask:
    return HeldOutTask(family="sums", level=1, design=a_design(), seeds=(0, 1, 2, 3), questions=questions)


def test_a_suite_names_the_hash_of_its_file(tmp_path: Path):
    name = a_suite(tmp_path)
    assert read_suite(name).digest == sha256(Path(name).read_bytes()).hexdigest()


@pytest.mark.parametrize("changes", [{"source": "x = 1"}, {"seeds": "abc"}, {"seeds": []}, {"level": None}])
def test_a_broken_line_of_a_suite_is_named(tmp_path: Path, changes: dict[str, object]):
    with pytest.raises(ConfigError, match="line 1"):
        read_suite(a_suite(tmp_path, **changes))


def test_an_unknown_suite_says_which_there_are():
    with pytest.raises(ConfigError, match="nano, mini, rg_hard or the path"):
        read_suite("aime")


def test_the_mini_suite_is_the_frozen_one():
    assert read_suite("mini").digest == MINI_SHA256


def test_the_mini_suite_is_eight_tasks_of_thirty_two_questions():
    counts: Counter[str] = Counter()
    for task in read_suite("mini").tasks:
        counts[task.family] += len(task.seeds)
        assert task.questions
    assert len(counts) == 8
    assert set(counts.values()) == {32}


def test_instances_of_one_mechanic_are_one_draw_of_the_interval_and_questions_are_many():
    playtest = a_playtest([[1.0], [0.0], [1.0], [1.0]], [])
    mechanic = score_of([a_task()], [playtest])
    questions = score_of([a_task(questions=True)], [playtest])
    assert (mechanic.low, mechanic.high) == (0.75, 0.75)
    assert questions.low < 0.75 == questions.mean < questions.high


def test_void_episodes_are_counted_and_left_out():
    score = score_of([a_task()], [a_playtest([[1.0], [None]], [])])
    assert (score.mean, score.episodes, score.void) == (1.0, 1, 1)
