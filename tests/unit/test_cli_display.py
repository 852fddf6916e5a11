"""The live panel and its plain sisters."""

import io
import math
from dataclasses import replace

from rich.console import Console

from openspade.cli.live_panel import draw
from openspade.cli.run_summary import LiveRun, cycle_line, cycle_record
from openspade.runview.view import HeldOutScore, RunView
from tests.fakes import a_design, some_stats
from tests.unit.memories import a_cycle

METRICS = {
    "funnel/drafts": 32.0,
    "funnel/parsed": 30.0,
    "funnel/accepted": 21.0,
    "funnel/accepted_share": 0.656,
    "refused/novel": 6.0,
    "refused/oracle_max": 3.0,
    "designs/in_band_share": 0.43,
    "designs/learnable_share": 0.6,
    "designs/regret_mean": 0.21,
    "designs/regret_ci95": 0.05,
    "designs/solve_rate_unaided": 0.48,
    "designs/solve_rate_hinted": 0.69,
    "seconds/cycle": 2.0,
}


def an_unplayed_run(cycles_wanted: int = 150) -> LiveRun:
    return LiveRun(view=RunView(name="runs/nano", settings={"run.cycles": cycles_wanted}))


def a_run(title: str = "Sort numbers.", cycles: int = 3) -> LiveRun:
    run = an_unplayed_run()
    report = a_cycle(0, [(replace(a_design("d"), title=title), some_stats())])
    for cycle in range(cycles):
        run.add(replace(report, cycle=cycle, metrics=METRICS))
    run.view.scores = [HeldOutScore(cycle=cycle, mean=0.3 + cycle / 100, low=0.25, high=0.4) for cycle in (-1, 9, 19)]
    return run


def drawn(run: LiveRun) -> list[str]:
    console = Console(file=io.StringIO(), width=80, force_terminal=False)
    console.print(draw(run, "cycle 4 runs", 1.0))
    return console.file.getvalue().splitlines()  # type: ignore[union-attr]


def test_the_panel_fits_a_terminal_of_80_by_24():
    lines = drawn(a_run("word " * 60, cycles=140))
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 20


def test_the_panel_shows_what_a_run_is_watched_for():
    text = "\n".join(drawn(a_run()))
    for figure in (
        "3 of 150",
        "32 > 30 parsed > 21 accepted",
        "novel 6",
        "43%",
        "+0.21",
        "48%",
        "69%",
        "first 0.290",
        "0 never, 1 sometimes, 0 always solved",
        "Sort",
        "50% solved, 80% hinted",
        "hint: Look.",
    ):
        assert figure in text


def test_a_title_that_is_markup_or_an_escape_is_only_text():
    text = "\n".join(drawn(a_run("[bold]\x1b[2J[/bold]")))
    assert "[bold]" in text
    assert "\x1b" not in text


def test_the_panel_can_be_drawn_before_the_first_cycle():
    assert any("not yet measured" in line for line in drawn(an_unplayed_run()))


def test_a_cycle_is_one_line():
    line = cycle_line(METRICS, "3/150")
    assert line.startswith("cycle 3/150   accepted 21/32 in band 43%  regret +0.21 solved 48/69%")
    assert "\n" not in line


def test_a_run_on_a_fixed_pool_counts_no_drafts():
    without = {**METRICS, "funnel/drafts": 0.0, "funnel/parsed": 0.0, "funnel/accepted": 0.0}
    assert cycle_line(without, "3/150").startswith("cycle 3/150   accepted -  ")
    run = a_run()
    run.view.cycles = [(0, without)]
    (drafts,) = [line for line in drawn(run) if "drafts" in line]
    assert " - " in drafts


def test_the_remaining_time_follows_the_recent_pace():
    assert a_run(cycles=50).view.seconds_left() == 200.0
    assert math.isnan(an_unplayed_run().view.seconds_left())


def test_a_cycle_for_a_machine_names_the_accepted_designs():
    record = cycle_record(a_cycle(4, [(a_design("d"), some_stats())]))
    assert record["cycle"] == 4
    assert record["accepted"] == [{"id": "d", "title": "d", "skill": "optimisation", "kind": "game"}]
