"""A report as one HTML page that needs nothing else: no network, no script, figures inside."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from openspade.errors import StorageError
from openspade.evaluation.figures import save_figures, svg
from openspade.evaluation.markdown import markdown
from openspade.evaluation.quoting import printable
from openspade.evaluation.report import RunReport
from openspade.types import Turn


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
    environment = Environment(
        loader=PackageLoader("openspade.evaluation"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"printable": printable, "python": _python, "spoken": _spoken}
    style = Markup((files("openspade.evaluation") / "templates" / "report.css").read_text(encoding="utf-8"))  # noqa: S704 - ours
    drawings = [(chart, Markup(svg(chart))) for chart in report.charts]  # noqa: S704 - drawn by us
    return environment.get_template("report.html").render(report=report, style=style, drawings=drawings)


def _python(source: str) -> Markup:
    """A program with its words marked for colouring; Pygments escapes them."""
    return Markup(highlight(printable(source), PythonLexer(), HtmlFormatter(nowrap=True)))  # noqa: S704 - escaped by Pygments


def _spoken(turn: Turn) -> str:
    """What came back of a turn: the results of its calls, then words."""
    observation = turn.observation
    return printable("\n".join([*observation.results, *([observation.text] if observation.text else [])]))
