"""The report's choice of designs, and how it quotes what it did not write."""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from openspade.errors import ConfigError
from openspade.evaluation.charts import smooth
from openspade.evaluation.report import escape, fenced, instructive, write_report
from openspade.memory.catalogue import StoredDesign
from tests.fakes import a_design, some_stats
from tests.unit.memories import a_cycle, open_memory, teachable, variant


def stored(name: str, skill: str = "logic", **stats: object) -> StoredDesign:
    return StoredDesign(
        design=a_design(name),
        cycle=0,
        accepted=True,
        asked_skill=skill,
        document_id=None,
        problem=None,
        stats=some_stats(**stats),
    )


def names(designs: list[StoredDesign]) -> list[str]:
    return [design.design.id for design in designs]


def test_a_hint_worth_no_more_than_its_noise_teaches_nothing():
    assert names(instructive([stored("noise", regret=0.1, regret_se=0.1), stored("signal", regret=0.3)])) == ["signal"]


def test_what_is_always_solved_is_not_instructive():
    assert instructive([stored("easy", solve_rate=1.0), stored("hopeless", solve_rate=0.0)]) == []


def test_a_disqualified_or_unpaired_design_is_not_instructive():
    assert instructive([stored("hung", qualified=False), stored("unpaired", hinted_played=False)]) == []


def test_one_skill_does_not_fill_the_page():
    designs = [stored(f"logic{number}", regret=0.9) for number in range(9)] + [stored("other", "spatial", regret=0.2)]
    assert names(instructive(designs)) == ["logic0", "logic1", "logic2", "other"]


def test_equal_titles_are_shown_once():
    twins = [stored("one"), stored("one", "spatial")]
    assert len(instructive(twins)) == 1


@pytest.mark.parametrize(
    "hostile", ["<script>", "[x](javascript:y)", "![](http://z)", "# head\n", "`code`", "a | b", "\x1b[2J"]
)
def test_foreign_words_are_only_words(hostile: str):
    shown = escape(hostile)
    assert "<" not in shown
    assert "\n" not in shown
    assert "\x1b" not in shown
    assert all(f"\\{mark}" in shown for mark in "[]`#|!" if mark in hostile)


def test_foreign_code_cannot_end_its_block():
    lines = fenced("```\n# out\n````", "python").splitlines()
    assert lines[0] == "`````python"
    assert lines[-1] == "`````"


def test_smoothing_skips_what_was_not_measured():
    smoothed = smooth([1.0, math.nan, 3.0, math.nan, math.nan, math.nan], 3)
    assert smoothed[:4] == [1.0, 2.0, 3.0, 3.0]
    assert math.isnan(smoothed[5])


def test_an_empty_run_says_that_there_is_nothing_yet(tmp_path: Path):
    with open_memory(tmp_path) as memory, pytest.raises(ConfigError, match="no finished cycle"):
        write_report(memory, tmp_path / "report")


def test_a_run_of_one_cycle_has_a_page(tmp_path: Path):
    with open_memory(tmp_path) as memory:
        report = a_cycle(0, [(variant(9, title="Add <b>numbers</b>."), teachable())])
        memory.commit(replace(report, metrics={"designs/regret_mean": 0.3}), state={}, checkpoint="")
        page = write_report(memory, tmp_path / "report")
    assert "Add &lt;b&gt;numbers&lt;/b&gt;." in page.read_text()
    assert (page.parent / "regret.png").exists()
