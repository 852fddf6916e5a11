"""Pages from templates. Text that reaches a page is shown, not obeyed: escaped, its control characters drawn."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from importlib import resources

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer, TOMLLexer
from starlette.responses import HTMLResponse

from openspade.dashboard import drawing

PACKAGE = "openspade.dashboard"
MISSING = "\u2013"
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


def percent(value: float | None) -> str:
    return MISSING if _missing(value) else f"{value:.0%}"


def number(value: float | None, digits: int = 2) -> str:
    return MISSING if _missing(value) else f"{value:,.{digits}f}"


def signed(value: float | None, digits: int = 2) -> str:
    if _missing(value):
        return MISSING
    text = f"{value:+.{digits}f}"
    return text[1:] if not float(text) else text.replace("-", "\u2212")


def duration(seconds: float | None) -> str:
    """A time span in the two units that matter."""
    if seconds is None or not math.isfinite(seconds):
        return MISSING
    if seconds < 60:
        return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, left = divmod(minutes, 60)
    return f"{hours} h {left} min" if hours else f"{minutes} min {rest} s"


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


def _missing(value: float | None) -> bool:
    return value is None or not math.isfinite(value)


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
        "percent": percent,
        "number": number,
        "signed": signed,
        "duration": duration,
        "ago": ago,
        "headline": headline,
        "python": python_code,
        "toml": toml_code,
        "sparkline": drawing.sparkline,
    }
    templates.filters.update(filters)
    templates.globals["draw"] = drawing
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
