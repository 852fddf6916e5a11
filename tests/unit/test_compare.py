"""Runs side by side."""

import math
from collections.abc import Sequence

import pytest

from openspade.config import Config
from openspade.errors import ConfigError
from openspade.evaluation.bootstrap import estimate, estimate_difference
from openspade.recipe import flat
from openspade.runview.compare import compare
from openspade.runview.compare_charts import comparison_charts
from openspade.runview.view import HeldOutScore, RunView
from openspade.tokens import JSON

DEFAULTS = flat(Config().model_dump(mode="json", by_alias=True))


def a_view(seed: int, scores: Sequence[float], *, episodes: float = 100.0, **settings: JSON) -> RunView:
    """A run that is scored before its first cycle and after each; settings are written `control`, `reward__kind`."""
    changed = {name.replace("__", "."): value for name, value in settings.items()}
    cost = {"episodes/unaided": episodes, "tokens/agent": 10.0, "seconds/cycle": 1.0}
    return RunView(
        name=f"run{seed}",
        settings={**DEFAULTS, "run.seed": seed, **changed},
        cycles=[(n, {**cost, "designs/in_band_share": n / 10}) for n in range(len(scores) - 1)],
        scores=[HeldOutScore(cycle=place - 1, mean=score) for place, score in enumerate(scores)],
    )


def test_runs_are_grouped_by_what_differs_and_seeds_lie_together():
    runs = [a_view(seed, (0.4, 0.5), control=control) for seed in (1, 0) for control in ("base", "")]
    groups = compare(runs, "episodes").groups
    assert [group.label for group in groups] == ['control=""', "control=base"]
    assert [run.seed for run in groups[0].runs] == [0, 1]


def test_names_lengths_and_worker_counts_do_not_make_another_setting():
    runs = [a_view(0, (0.4, 0.5), run__name="a"), a_view(1, (0.4, 0.5), run__name="b", sandbox__workers=2)]
    assert [group.label for group in compare(runs, "episodes").groups] == ["all runs"]


def test_another_address_of_the_server_does_not_make_another_setting():
    runs = [a_view(0, (0.4, 0.5)), a_view(1, (0.4, 0.5), tinker__url="http://other", playtest__halt_after=8)]
    assert [group.label for group in compare(runs, "episodes").groups] == ["all runs"]


def test_scores_are_compared_at_the_budget_that_all_have_reached():
    short, long = a_view(0, (0.4, 0.5)), a_view(0, (0.4, 0.6, 0.8), episodes=80.0, control="base")
    comparison = compare([short, long], "episodes")
    assert comparison.budget == 100.0
    assert comparison.groups[1].final("episodes", 100.0)[0] == pytest.approx(0.65)


def test_a_difference_is_paired_by_seed():
    runs = [a_view(seed, (0.4, 0.5 + seed / 10), control=control) for seed in range(3) for control in ("", "base")]
    difference = compare(runs, "episodes").differences[0]
    assert [*difference.by_seed.values()] == [0.0, 0.0, 0.0]
    assert (difference.estimate.low, difference.estimate.high) == (0.0, 0.0)


def test_seeds_without_a_pair_are_resampled_by_themselves():
    runs = [a_view(seed, (0.4, 0.5 + seed / 10), control="" if seed < 3 else "base") for seed in range(6)]
    difference = compare(runs, "episodes").differences[0]
    assert not difference.by_seed
    assert difference.estimate.mean == pytest.approx(0.3)
    assert difference.estimate.low < 0.3 < difference.estimate.high


def test_one_seed_has_a_difference_but_no_interval():
    runs = [a_view(0, (0.4, 0.5)), a_view(0, (0.4, 0.7), control="base")]
    found = compare(runs, "episodes").differences[0].estimate
    assert found.mean == pytest.approx(0.2)
    assert math.isnan(found.low)


def test_the_reference_can_be_named_and_must_exist():
    runs = [a_view(0, (0.4, 0.5)), a_view(0, (0.4, 0.7), control="base")]
    assert compare(runs, "episodes", "control=base").differences[0].estimate.mean == pytest.approx(-0.2)
    with pytest.raises(ConfigError, match="control=base"):
        compare(runs, "episodes", "control=none")


def test_the_same_run_twice_is_no_second_seed():
    with pytest.raises(ConfigError, match="one run"):
        compare([a_view(0, (0.4, 0.5)), a_view(0, (0.4, 0.5))], "episodes")


def test_a_run_without_a_cycle_is_named():
    with pytest.raises(ConfigError, match="run0 has no finished cycle"):
        compare([a_view(0, (0.4,))], "episodes")


def test_a_table_takes_the_ends_of_a_run():
    assert a_view(0, [0.4] * 21).edges("designs/in_band_share") == pytest.approx((0.1, 1.8))


def test_an_interval_narrows_with_more_seeds():
    few, many = estimate([0.0, 1.0] * 2), estimate([0.0, 1.0] * 50)
    assert many.high - many.low < few.high - few.low
    assert estimate_difference([1.0, 1.0], [0.0, 0.0]).low == 1.0


def test_figures_show_a_line_a_group_and_leave_out_what_was_not_measured():
    runs = [a_view(seed, (0.4, 0.5), control=control) for seed in (0, 1) for control in ("", "base")]
    charts = comparison_charts(compare(runs, "episodes"))
    assert [chart.name for chart in charts] == [
        "heldout_by_episodes", "heldout_by_tokens", "heldout_by_seconds", "designs_in_band_share"
    ]  # fmt: skip
    assert len(charts[0].lines) == 2
    assert len(charts[0].lines[0].faint) == 2
