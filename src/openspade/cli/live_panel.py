"""The live picture of a training: one panel, readable in 80 columns, drawn anew twice a second."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from rich.console import Group
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from openspade.cli.keyboard import SilentKeyboard
from openspade.cli.run_summary import Course, cycle_line, cycle_record, percent, signed
from openspade.cli.terminal import duration, one_line, screen, show, show_json, sparkline
from openspade.types import CycleReport

PANEL_WIDTH = 80
SPARK_WIDTH = 24
TITLE_WIDTH = 62
ENDED = ("done", "stopped")


class Panels:
    """The live panel of a terminal."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._note = "first held-out score, then the first cycle"
        self._since = time.monotonic()
        self._keyboard = SilentKeyboard()
        self._live = Live(
            get_renderable=lambda: draw(course, self._note, time.monotonic() - self._since),
            console=screen,
            refresh_per_second=2,
        )

    def start(self) -> None:
        self._keyboard.start()
        self._live.start(refresh=True)

    def stop(self) -> None:
        self._note = "done" if len(self._course.cycles) >= self._course.cycles_wanted else "stopped"
        self._live.stop()
        self._keyboard.stop()

    def cycle(self, report: CycleReport) -> None:
        """Show one more cycle."""
        self._since = time.monotonic()
        self._note = f"cycle {report.cycle + 2} runs; Ctrl-C stops after it"
        self._live.refresh()

    def notice(self, text: str) -> None:
        """Say something under the figures."""
        self._note = text
        self._live.refresh()


class Lines:
    """One line a cycle, for a log file or a machine."""

    def __init__(self, course: Course, *, as_json: bool) -> None:
        self._course = course
        self._as_json = as_json

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def cycle(self, report: CycleReport) -> None:
        """Print one more cycle."""
        if self._as_json:
            show_json(cycle_record(report))
        else:
            screen.print(cycle_line(self._course), soft_wrap=True)

    def notice(self, text: str) -> None:
        """Say something between the lines; a machine is told nothing."""
        if not self._as_json:
            show(text)


View = Panels | Lines


def choose_view(course: Course, *, as_json: bool) -> View:
    """A panel on a terminal, lines elsewhere."""
    return Lines(course, as_json=as_json) if as_json or not screen.is_terminal else Panels(course)


def draw(course: Course, note: str, running_s: float) -> Panel:
    """The panel at this moment; `running_s` is the age of the running cycle."""
    figures = Table.grid(padding=(0, 1))
    figures.add_column(width=9, style="bold")
    figures.add_column(width=40, no_wrap=True)
    figures.add_column(width=SPARK_WIDTH, style="cyan", no_wrap=True)
    for label, value, metric in _rows(course):
        figures.add_row(label, value(), sparkline(metric, SPARK_WIDTH))
    parts = [_progress(course), Text(), figures, _refusals(course), _latest(course), Text()]
    foot = Text(note if note in ENDED else f"{note} ({duration(running_s)})", style="dim")
    title = Text(f"OpenSPADE  {one_line(course.directory, 50)}", style="bold")
    return Panel(Group(*parts, foot), title=title, title_align="left", width=min(PANEL_WIDTH, screen.width))


def _rows(course: Course) -> list[tuple[str, Callable[[], str], list[float]]]:
    return [
        ("held-out", lambda: _heldout(course), [score.score for score in course.heldout]),
        ("solved", lambda: _solved(course), course.series("designs/solve_rate_unaided")),
        ("regret", lambda: _regret(course), course.series("designs/regret_mean")),
        ("in band", lambda: _band(course), course.series("designs/in_band_share")),
        ("frontier", lambda: _frontier(course), course.series("designs/learnable_share")),
        ("drafts", lambda: _funnel(course), course.series("funnel/accepted_share")),
        ("speed", lambda: _speed(course), course.series("seconds/cycle")),
    ]


def _progress(course: Course) -> Table:
    done, wanted = len(course.cycles), max(1, course.cycles_wanted)
    left = course.seconds_left()
    row = Table.grid(padding=(0, 1))
    eta = f"{duration(left)} left" if math.isfinite(left) else ""
    row.add_row(ProgressBar(total=wanted, completed=done, width=34), Text(f"cycle {done} of {wanted}"), Text(eta))
    return row


def _heldout(course: Course) -> str:
    if not course.heldout:
        return "not yet measured"
    first, last = course.heldout[0], course.heldout[-1]
    interval = f"{last.score:.3f} [{last.low:.2f}, {last.high:.2f}]"
    return interval if len(course.heldout) == 1 else f"{interval}, first {first.score:.3f}"


def _solved(course: Course) -> str:
    unaided, hinted = course.now("designs/solve_rate_unaided"), course.now("designs/solve_rate_hinted")
    return f"{percent(unaided)} unaided, {percent(hinted)} hinted"


def _regret(course: Course) -> str:
    spread = course.now("designs/regret_ci95")
    return signed(course.now("designs/regret_mean")) + (f" ± {spread:.2f}" if math.isfinite(spread) else "")


def _band(course: Course) -> str:
    learnable = course.now("designs/learnable_share")
    return f"{percent(course.now('designs/in_band_share'))} of designs, {percent(learnable)} learnable"


def _frontier(course: Course) -> str:
    if not course.solve_rates:
        return "-"
    never, sometimes, always = course.frontier()
    return f"{never} never, {sometimes} sometimes, {always} always solved"


def _funnel(course: Course) -> str:
    if not course.now("funnel/drafts") > 0:
        return "-"
    drafts, parsed, accepted = (course.now(f"funnel/{stage}") for stage in ("drafts", "parsed", "accepted"))
    return f"{drafts:.0f} > {parsed:.0f} parsed > {accepted:.0f} accepted"


def _speed(course: Course) -> str:
    seconds = course.now("seconds/cycle")
    if not math.isfinite(seconds) or seconds <= 0:
        return "-"
    tokens = course.now("tokens/designer") + course.now("tokens/agent")
    rate = f", {tokens / seconds:,.0f} tokens/s" if math.isfinite(tokens) else ""
    return f"{duration(seconds)} a cycle{rate}"


def _refusals(course: Course) -> Text:
    named = ", ".join(f"{gate} {count}" for gate, count in course.refusals()[:4]) or "-"
    return Text.assemble(("refused   ", "bold"), one_line(named, TITLE_WIDTH))


def _latest(course: Course) -> Text:
    design, stats = course.latest, course.latest_stats
    if design is None:
        return Text.assemble(("latest    ", "bold"), "-")
    words = Text.assemble(("latest    ", "bold"), one_line(design.title, TITLE_WIDTH))
    rates = f", {percent(stats.solve_rate)} solved, {percent(stats.hinted_solve_rate)} hinted" if stats else ""
    words.append(f"\n          {one_line(design.skill, TITLE_WIDTH - len(rates))}{rates}", style="dim")
    words.append(f"\n          hint: {one_line(design.hint, TITLE_WIDTH - 6)}", style="dim")
    return words
