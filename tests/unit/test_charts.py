"""What figures show, before they are drawn."""

import math

from openspade.runview.charts import Chart, funnel_chart, grouped, overlaid, run_charts, smooth, smoothed
from openspade.runview.view import RunView


def drawn(view: RunView) -> dict[str, Chart]:
    return {chart.name: chart for chart in run_charts(view) if chart.lines}


def test_smoothing_skips_what_was_not_measured():
    smoothed = smooth([1.0, math.nan, 3.0, math.nan, math.nan, math.nan], 3)
    assert smoothed[:4] == [1.0, 2.0, 3.0, 3.0]
    assert math.isnan(smoothed[5])


def test_a_chart_has_lines_only_where_something_was_measured():
    found = drawn(RunView(name="r", cycles=[(0, {"designs/regret_mean": 0.1})]))
    assert [(name, chart.title) for name, chart in found.items()] == [("regret", "Regret")]


def test_the_funnel_adds_up_to_all_drafts():
    refused = {f"refused/gate{number}": 1.0 for number in range(8)}
    cycle = {"funnel/drafts": 10.0, "funnel/accepted": 2.0, **refused}
    funnel = funnel_chart(RunView(name="r", cycles=[(0, cycle), (1, cycle)]))
    assert math.isclose(sum(line.values[0] for line in funnel.lines), 1.0)
    assert funnel.lines[-1].label == "other gates"


def test_the_held_out_score_is_compared_with_the_one_before_training():
    scores = [(-1, "nano", {"heldout/score": 0.4}), (9, "nano", {"heldout/score": 0.5})]
    chart = drawn(RunView.of("r", [], scores))["heldout"]
    assert chart.level == (0.4, "before training")
    assert [*chart.lines[0].at] == [0.0, 10.0]


def test_an_interval_is_drawn_around_what_has_a_half_width():
    cycle = {"designs/regret_mean": 0.25, "designs/regret_ci95": 0.125}
    (line,) = drawn(RunView(name="r", cycles=[(0, cycle)]))["regret"].lines
    assert ([*line.low], [*line.high]) == ([0.125], [0.375])


def test_a_long_run_is_smoothed_with_its_raw_values_behind():
    view = RunView(name="r", cycles=[(cycle, {"designs/regret_mean": cycle % 2}) for cycle in range(80)])
    (line,) = smoothed(drawn(view)["regret"]).lines
    assert [*line.faint[0][1]][:3] == [0, 1, 0]
    assert 0 < line.values[40] < 1


def test_runs_are_laid_over_each_other_in_colours_of_their_own():
    views = [RunView(name=name, cycles=[(0, {"train/agent_loss": 0.1})]) for name in ("a", "b")]
    (chart,) = [chart for chart in overlaid(views) if chart.lines]
    assert chart.title == "Losses: Agent"
    assert [(line.label, line.colour) for line in chart.lines] == [("a", "blue"), ("b", "red")]


def test_tokens_a_second_are_worked_out_from_the_cycle():
    chart = drawn(RunView(name="r", cycles=[(0, {"tokens/agent": 60.0, "seconds/cycle": 4.0})]))["throughput"]
    assert [*chart.lines[0].values] == [15.0]


def test_tools_that_draw_are_told_what_stands_together():
    assert grouped()["Losses"] == ["train/designer_loss", "train/agent_loss"]
    assert grouped()["Regret"] == ["designs/regret_mean"]
