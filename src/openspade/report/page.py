"""A report as one HTML page that needs nothing else, or as Markdown with its figures beside it."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from openspade.errors import StorageError
from openspade.metrics.catalogue import metric
from openspade.report.contents import RunReport
from openspade.report.figures import save_figures, svg
from openspade.report.quoting import escape, fenced, printable
from openspade.runview.formats import number, percent, signed
from openspade.types import DesignStats, Turn

PACKAGE = "openspade.report"


def write_report(report: RunReport, folder: Path, *, as_markdown: bool = False, figures: tuple[str, ...] = ()) -> Path:
    """Write `report.html`, and `report.md` with its PNG figures, or figures of other kinds, where asked; the page."""
    page = folder / "report.html"
    kinds = {*figures, "png"} if as_markdown else {*figures}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        page.write_text(html(report), encoding="utf-8")
        save_figures(report.charts, folder, sorted(kinds))
        if as_markdown:
            (folder / "report.md").write_text(markdown(report), encoding="utf-8")
    except OSError as error:
        raise StorageError(f"the report cannot be written to {folder}: {error.strerror}") from None
    return page


def html(report: RunReport) -> str:
    """The page. Everything that a policy or an environment wrote is escaped: only our own drawings are markup."""
    style = Markup((files(PACKAGE) / "templates" / "report.css").read_text(encoding="utf-8"))  # noqa: S704 - ours
    drawings = [(chart, Markup(svg(chart))) for chart in report.charts]  # noqa: S704 - drawn by us
    return _templates(as_html=True).get_template("report.html").render(report=report, style=style, drawings=drawings)


def markdown(report: RunReport) -> str:
    """The page for a repository or a review; its figures are `NAME.png` beside it."""
    return _templates(as_html=False).get_template("report.md").render(report=report).rstrip() + "\n"


def _templates(*, as_html: bool) -> Environment:
    environment = Environment(
        loader=PackageLoader(PACKAGE),
        # Markdown has its own filters, `words` and `fenced`, for what it did not write.
        autoescape=as_html,  # noqa: S701
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "printable": printable,
        "python": _python,
        "spoken": _spoken,
        "measured": _measured,
        "words": escape,
        "fenced": fenced,
    }
    return environment


def _python(source: str) -> Markup:
    """A program with its words marked for colouring; Pygments escapes them."""
    return Markup(highlight(printable(source), PythonLexer(), HtmlFormatter(nowrap=True)))  # noqa: S704 - escaped by Pygments


def _spoken(turn: Turn) -> str:
    """What came back of a turn: the results of its calls, then words."""
    observation = turn.observation
    return printable("\n".join([*observation.results, *([observation.text] if observation.text else [])]))


def _measured(stats: DesignStats) -> str:
    """How a design was played, in one line."""
    hinted, regret = metric("designs/solve_rate_hinted").short, metric("designs/regret_mean").short
    return (
        f"solved {percent(stats.solve_rate)} unaided, {percent(stats.hinted_solve_rate)} {hinted}; "
        f"{regret} {signed(stats.regret)} ± {number(stats.regret_se)}"
    )
