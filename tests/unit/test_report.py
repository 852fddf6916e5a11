"""A run's report: what it says, and how it quotes what it did not write."""

from dataclasses import replace
from pathlib import Path

import pytest

from openspade.errors import ConfigError
from openspade.report.contents import RunReport, read_report
from openspade.report.page import html, markdown
from openspade.report.quoting import escape, fenced
from openspade.types import Action, Design, Episode, Observation, Playtest, Problem, Turn
from tests.unit.memories import a_cycle, an_episode_of, open_memory, teachable, variant

HOSTILE = '</pre><script>alert(1)</script><img src="http://evil/x">\x1b[2J\u202e{{ 7 * 7 }}'


def hostile_design() -> Design:
    return replace(variant(9, title=HOSTILE), hint=HOSTILE, skill=HOSTILE, source=f"# {HOSTILE}")


def hostile_episode(design: Design, *, hinted: bool) -> Episode:
    turn = Turn(reply=HOSTILE, action=Action(text=""), observation=Observation(text=HOSTILE), reward=0.0)
    return replace(an_episode_of(design, hinted=hinted), first_observation=HOSTILE, turns=(turn,), cause=HOSTILE)


def report_of(folder: Path, design: Design) -> RunReport:
    """A run of one cycle in which one design was played and one refused."""
    refused = replace(design, id="f" * 32, title=f"Refused {design.title}")
    problem = Problem(gate="floor_gap", message=HOSTILE, evidence=HOSTILE)
    cycle = a_cycle(0, [(design, teachable())], refused=[(refused, problem)])
    episodes = tuple(hostile_episode(design, hinted=hinted) for hinted in (False, True))
    metrics = {"designs/regret_mean": 0.3, "refused/floor_gap": 1.0}
    with open_memory(folder) as memory:
        played = (Playtest(design=design, episodes=episodes),)
        memory.commit(replace(cycle, playtests=played, metrics=metrics), state={}, checkpoint="")
        memory.record_event(0, HOSTILE, HOSTILE)
        return read_report(memory)


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


def test_an_empty_run_says_that_there_is_nothing_yet(tmp_path: Path):
    with open_memory(tmp_path) as memory, pytest.raises(ConfigError, match="no finished cycle"):
        read_report(memory)


def test_hostile_text_is_text_on_the_page(tmp_path: Path):
    page = html(report_of(tmp_path, hostile_design()))
    assert page.count("&lt;script&gt;") >= 10
    assert not any(sign in page for sign in ("<script", "<img", "\x1b", "\u202e", "49\n"))


def test_hostile_text_is_text_in_markdown(tmp_path: Path):
    page = markdown(report_of(tmp_path, hostile_design()))
    outside = "".join(page.split("```")[::2])
    assert outside.count("&lt;script&gt;") >= 5
    assert not any(sign in outside for sign in ("<script", "<img", "\x1b", "\u202e", "49\n"))


def test_markdown_says_what_the_page_says(tmp_path: Path):
    page = markdown(report_of(tmp_path, variant(9)))
    for told in (
        "| Regret | +0.300 | +0.300 |",
        "Refused by `floor_gap`",
        "```python\n",
        "| `floor_gap` | 1 |",
        "## Events",
    ):
        assert told in page
    assert "\n\n\n" not in page.split("<details>")[0]


def test_the_page_shows_a_play_in_both_arms_and_why_a_draft_was_refused(tmp_path: Path):
    page = html(report_of(tmp_path, variant(9)))
    for told in (
        "Unaided: solved",
        "With the hint: solved",
        "Refused by <code>floor_gap</code>",
        "Its hint taught most",
    ):
        assert told in page


def test_the_page_asks_for_nothing_from_elsewhere(tmp_path: Path):
    page = html(report_of(tmp_path, variant(9)))
    loads = [word for word in ('src="', "<link", "@import", "<script", 'href="http') if word in page]
    assert loads == []
    assert "default-src 'none'" in page


def test_figures_take_the_colours_of_the_page(tmp_path: Path):
    page = html(report_of(tmp_path, variant(9)))
    drawing = page[page.index("<svg") : page.index("</svg>")]
    assert "var(--purple)" in drawing
    assert "currentColor" in drawing
    assert "#b0558b" not in drawing
