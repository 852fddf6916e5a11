"""The live picture of a training: one panel, readable in 80 columns, drawn anew twice a second."""

from __future__ import annotations

import time

from rich.console import Group
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from openspade.cli.keyboard import SilentKeyboard
from openspade.cli.run_summary import LiveRun, cycle_line, cycle_record
from openspade.cli.terminal import one_line, screen, show, show_json
from openspade.metrics.catalogue import metric
from openspade.runview.formats import MISSING, duration, missing, number, percent, sparkline, written
from openspade.runview.view import SCORE
from openspade.types import CycleReport

PANEL_WIDTH = 80
SPARK_WIDTH = 24
TITLE_WIDTH = 62
ENDED = ("done", "stopped")


class Panels:
    """The live panel of a terminal."""

    def __init__(self, run: LiveRun) -> None:
        self._run = run
        self._note = f"first {metric(SCORE).label.lower()}, then the first cycle"
        self._since = time.monotonic()
        self._keyboard = SilentKeyboard()
        self._live = Live(
            get_renderable=lambda: draw(run, self._note, time.monotonic() - self._since),
            console=screen,
            refresh_per_second=2,
        )

    def start(self) -> None:
        self._keyboard.start()
        self._live.start(refresh=True)

    def stop(self) -> None:
        view = self._run.view
        self._note = "done" if len(view.cycles) >= view.cycles_wanted else "stopped"
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

    def __init__(self, run: LiveRun, *, as_json: bool) -> None:
        self._run = run
        self._as_json = as_json

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def cycle(self, report: CycleReport) -> None:
        """Print one more cycle."""
        if self._as_json:
            show_json(cycle_record(report))
        else:
            view, score = self._run.view, metric(SCORE)
            examined = f"  {score.short} {written(score, view.now(SCORE))}" if not missing(view.now(SCORE)) else ""
            line = cycle_line(report.metrics, f"{report.cycle + 1}/{view.cycles_wanted}")
            screen.print(line + examined, soft_wrap=True)

    def notice(self, text: str) -> None:
        """Say something between the lines; a machine is told nothing."""
        if not self._as_json:
            show(text)


View = Panels | Lines


def choose_view(run: LiveRun, *, as_json: bool) -> View:
    """A panel on a terminal, lines elsewhere."""
    return Lines(run, as_json=as_json) if as_json or not screen.is_terminal else Panels(run)


def draw(run: LiveRun, note: str, running_s: float) -> Panel:
    """The panel at this moment; `running_s` is the age of the running cycle."""
    figures = Table.grid(padding=(0, 1))
    figures.add_column(width=9, style="bold")
    figures.add_column(width=40, no_wrap=True)
    figures.add_column(width=SPARK_WIDTH, style="cyan", no_wrap=True)
    for label, words, course in _rows(run):
        figures.add_row(label, words, sparkline(course, SPARK_WIDTH))
    parts = [_progress(run), Text(), figures, _refusals(run), _latest(run), Text()]
    foot = Text(note if note in ENDED else f"{note} ({duration(running_s)})", style="dim")
    title = Text(f"OpenSPADE  {one_line(run.view.name, 50)}", style="bold")
    return Panel(Group(*parts, foot), title=title, title_align="left", width=min(PANEL_WIDTH, screen.width))


def _rows(run: LiveRun) -> list[tuple[str, str, list[float]]]:
    """What is watched: a metric's label, its value in words, its course."""
    view = run.view
    told = {
        "designs/solve_rate_unaided": _solved(run),
        "designs/regret_mean": _regret(run),
        "designs/in_band_share": _band(run),
    }
    return [
        (metric(SCORE).short, _heldout(run), [score.mean for score in view.scores]),
        *((metric(name).short, words, view.series(name)) for name, words in told.items()),
        ("frontier", _frontier(run), view.series("designs/learnable_share")),
        (metric("funnel/drafts").short, _funnel(run), view.series("funnel/accepted_share")),
        ("speed", _speed(run), view.series("seconds/cycle")),
    ]


def _told(run: LiveRun, name: str) -> str:
    return written(metric(name), run.view.now(name))


def _progress(run: LiveRun) -> Table:
    done, wanted = len(run.view.cycles), max(1, run.view.cycles_wanted)
    left = run.view.seconds_left()
    row = Table.grid(padding=(0, 1))
    eta = f"{duration(left)} left" if left > 0 else ""
    row.add_row(ProgressBar(total=wanted, completed=done, width=34), Text(f"cycle {done} of {wanted}"), Text(eta))
    return row


def _heldout(run: LiveRun) -> str:
    scores = run.view.scores
    if not scores:
        return "not yet measured"
    return f"{scores[-1]}" + (f", first {number(scores[0].mean, 3)}" if len(scores) > 1 else "")


def _solved(run: LiveRun) -> str:
    hinted = "designs/solve_rate_hinted"
    return f"{_told(run, 'designs/solve_rate_unaided')} unaided, {_told(run, hinted)} {metric(hinted).short}"


def _regret(run: LiveRun) -> str:
    half = metric("designs/regret_mean").half
    spread = "" if missing(run.view.now(half)) else f" ± {_told(run, half)}"
    return _told(run, "designs/regret_mean") + spread


def _band(run: LiveRun) -> str:
    learnable = "designs/learnable_share"
    return f"{_told(run, 'designs/in_band_share')} of designs, {_told(run, learnable)} {metric(learnable).short}"


def _frontier(run: LiveRun) -> str:
    if not run.solve_rates:
        return MISSING
    never, sometimes, always = run.frontier()
    return f"{never} never, {sometimes} sometimes, {always} always solved"


def _funnel(run: LiveRun) -> str:
    if not run.view.now("funnel/drafts") > 0:
        return MISSING
    steps = [f"{_told(run, name)} {metric(name).short}" for name in ("funnel/parsed", "funnel/accepted")]
    return " > ".join([_told(run, "funnel/drafts"), *steps])


def _speed(run: LiveRun) -> str:
    seconds = run.view.now("seconds/cycle")
    if not seconds > 0:
        return MISSING
    tokens = run.view.now("tokens/designer") + run.view.now("tokens/agent")
    rate = "" if missing(tokens) else f", {number(tokens / seconds, 0)} tokens/s"
    return f"{duration(seconds)} a cycle{rate}"


def _refusals(run: LiveRun) -> Text:
    named = ", ".join(f"{gate} {count}" for gate, count in run.view.refusals(last=1)[:4]) or MISSING
    return Text.assemble(("refused   ", "bold"), one_line(named, TITLE_WIDTH))


def _latest(run: LiveRun) -> Text:
    design, stats = run.latest, run.latest_stats
    if design is None:
        return Text.assemble(("latest    ", "bold"), MISSING)
    words = Text.assemble(("latest    ", "bold"), one_line(design.title, TITLE_WIDTH))
    hinted = metric("designs/solve_rate_hinted").short
    rates = f", {percent(stats.solve_rate)} solved, {percent(stats.hinted_solve_rate)} {hinted}" if stats else ""
    words.append(f"\n          {one_line(design.skill, TITLE_WIDTH - len(rates))}{rates}", style="dim")
    words.append(f"\n          hint: {one_line(design.hint, TITLE_WIDTH - 6)}", style="dim")
    return words
