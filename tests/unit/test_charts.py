"""What figures show, before they are drawn."""

import math

from openspade.evaluation.charts import run_charts, smooth


def test_smoothing_skips_what_was_not_measured():
    smoothed = smooth([1.0, math.nan, 3.0, math.nan, math.nan, math.nan], 3)
    assert smoothed[:4] == [1.0, 2.0, 3.0, 3.0]
    assert math.isnan(smoothed[5])


def test_a_chart_is_there_only_where_something_was_measured():
    names = [chart.name for chart in run_charts([(0, {"designs/regret_mean": 0.1})], [])]
    assert names == ["regret"]


def test_the_funnel_adds_up_to_all_drafts():
    refused = {f"refused/gate{number}": 1.0 for number in range(8)}
    cycle = {"funnel/drafts": 10.0, "funnel/accepted": 2.0, **refused}
    funnel = next(chart for chart in run_charts([(0, cycle), (1, cycle)], []) if chart.name == "funnel")
    assert math.isclose(sum(line.values[0] for line in funnel.lines), 1.0)
    assert funnel.lines[-1].label == "other gates"


def test_the_held_out_score_is_compared_with_the_one_before_training():
    scores = [(-1, "nano", {"heldout/score": 0.4}), (9, "nano", {"heldout/score": 0.5})]
    chart = run_charts([], scores)[0]
    assert chart.level == (0.4, "before training")
    assert [*chart.lines[0].at] == [0.0, 10.0]
