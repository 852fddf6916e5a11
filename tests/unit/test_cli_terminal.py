"""What may reach a terminal, and how figures are made to fit it."""

import math

import pytest

from openspade.cli.terminal import one_line, plain
from openspade.runview.formats import duration, sparkline


@pytest.mark.parametrize("hostile", ["\x1b[2J", "\x07", "\x9b31m", "\u202e", "\ud800", "\x00", "\u200b"])
def test_what_a_terminal_would_obey_is_shown_as_a_mark(hostile: str):
    assert plain(f"a{hostile}b").replace("�", "").replace("[2J", "").replace("31m", "") == "ab"


def test_line_breaks_survive_where_they_may():
    assert plain("a\n\tb") == "a\n\tb"
    assert plain("a\nb", lines=False) == "a b"


def test_a_long_title_is_cut_visibly():
    assert one_line("one\ntwo  three", 9) == "one two…"


def test_a_sparkline_rises_with_its_values():
    assert sparkline([0, 1, 2, 3, 4, 5, 6, 7], 8) == "▁▂▃▄▅▆▇█"


def test_a_sparkline_never_outgrows_its_width():
    assert len(sparkline([float(value % 7) for value in range(1000)], 24)) == 24


@pytest.mark.parametrize("values", [[], [1.0], [math.nan, 1.0]])
def test_one_value_has_no_course(values: list[float]):
    assert sparkline(values, 8) == ""


def test_a_flat_course_is_drawn_flat():
    assert len(set(sparkline([0.5, 0.5, math.nan, 0.5], 8))) == 1


@pytest.mark.parametrize(("seconds", "text"), [(0.26, "0.3 s"), (42.4, "42 s"), (61, "1 min 1 s"), (7260, "2 h 1 min")])
def test_a_duration_names_the_two_units_that_matter(seconds: float, text: str):
    assert duration(seconds) == text
