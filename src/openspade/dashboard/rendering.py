"""Pages from templates. Text that reaches a page is shown, not obeyed: escaped, its control characters drawn."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer, TOMLLexer
from starlette.responses import HTMLResponse

from openspade.dashboard import drawing
from openspade.metrics.catalogue import metric
from openspade.runview import formats
from openspade.runview.view import SCORE

PACKAGE = "openspade.dashboard"
MISSING, MINUS = "\u2013", "\u2212"
DRAWN = {chr(code): chr(0x2400 + code) for code in range(32) if chr(code) not in "\n\t"} | {"\x7f": "\u2421"}


def visible(text: str) -> str:
    """The text with all that a terminal or a browser would obey drawn instead: ESC as ␛, direction marks by number."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_drawn(character) for character in text.replace("\r\n", "\n"))


def _drawn(character: str) -> str:
    if character in DRAWN:
        return DRAWN[character]
    if character not in "\n\t" and unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp"):
        return f"⟨U+{ord(character):04X}⟩"
    return character


def finalize(value: object) -> object:
    """Every value a template prints goes through here; markup of our own passes."""
    if value is None:
        return ""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def typeset(show: Callable[..., str]) -> Callable[..., str]:
    """A format of the terminal with a page's signs: a true minus, a longer dash where nothing was measured."""

    def shown(*values: Any, **options: Any) -> str:
        text = show(*values, **options)
        return MISSING if text == formats.MISSING else text.replace("-", MINUS)

    return shown


def ago(seconds: float) -> str:
    """How long ago, in one unit."""
    for unit, size in (("day", 86_400), ("hour", 3600), ("minute", 60)):
        if seconds >= size:
            count = int(seconds // size)
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "just now"


def headline(text: str, width: int = 120) -> str:
    """The first paragraph on one line, cut between words."""
    words = " ".join(text.strip().split("\n\n")[0].split())
    return words if len(words) <= width else f"{words[:width].rpartition(' ')[0] or words[:width]} …"


@lru_cache(maxsize=256)
def python_code(source: str) -> Markup:
    """A program with its syntax marked up in classes."""
    return _highlighted(source, PythonLexer(stripnl=False))


@lru_cache(maxsize=32)
def toml_code(text: str) -> Markup:
    return _highlighted(text, TOMLLexer(stripnl=False))


def _highlighted(text: str, lexer: PythonLexer | TOMLLexer) -> Markup:
    # Pygments escapes what it prints; line numbers are drawn by the style sheet.
    lines = highlight(visible(text), lexer, HtmlFormatter(nowrap=True)).rstrip("\n").split("\n")
    return Markup("\n").join(Markup(f'<span class="line">{line}</span>') for line in lines)  # noqa: S704


@dataclass(frozen=True, kw_only=True, slots=True)
class Pages:
    """Renders a template by name."""

    templates: Environment

    def render(self, name: str, status: int = 200, **values: object) -> HTMLResponse:
        return HTMLResponse(self.templates.get_template(name).render(**values), status_code=status)


def build_pages() -> Pages:
    templates = Environment(
        loader=PackageLoader(PACKAGE),
        autoescape=True,
        finalize=finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: Mapping[str, object] = {
        "percent": typeset(formats.percent),
        "number": typeset(formats.number),
        "signed": typeset(formats.signed),
        "duration": typeset(formats.duration),
        "written": typeset(formats.written),
        "ago": ago,
        "headline": headline,
        "python": python_code,
        "toml": toml_code,
        "sparkline": drawing.sparkline,
    }
    templates.filters.update(filters)
    templates.globals |= {"draw": drawing, "metric": metric, "score": metric(SCORE)}
    templates.globals["static_version"] = _static_version()
    return Pages(templates=templates)


def _static_version() -> str:
    """Changes when a static file does, so that browsers may keep them for good."""
    digest = blake2b(digest_size=6)
    folder = resources.files(PACKAGE) / "static"
    for item in sorted(folder.iterdir(), key=lambda item: item.name):
        if item.is_file():
            digest.update(item.read_bytes())
    return digest.hexdigest()
