"""Text of HTML pages: paragraphs, headings, lists and code, without what surrounds an article."""

from __future__ import annotations

import re
from html.parser import HTMLParser

_UNREAD = frozenset("script style nav header footer aside form button select svg noscript template head title".split())
_BLOCKS = frozenset(
    "p div section article main h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table tr pre blockquote figure hr br".split()
)


def text_of_html(page: str) -> str:
    """The page's words, a blank line between blocks; code keeps its line breaks."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return re.sub(r"\n\s*\n+", "\n\n", "".join(reader.pieces)).strip()


class _Reader(HTMLParser):
    """Collects the words. A marked section of a name that HTML does not know is passed over, where Python's raises."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self._unread: list[str] = []
        self._preformatted = 0

    def parse_marked_section(self, i: int, report: int = 1) -> int:
        if re.match(
            r"<!\[(?:temp|cdata|ignore|include|rcdata|if|else|endif)\b", self.rawdata[i : i + 12], re.IGNORECASE
        ):
            return super().parse_marked_section(i, bool(report))
        return self.rawdata.find(">", i) + 1 or -1

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "body":
            self._unread.clear()
        if tag in _UNREAD:
            self._unread.append(tag)
        if tag in _BLOCKS:
            self.pieces.append("\n\n" if tag != "li" else "\n\n- ")
        if tag in ("td", "th"):
            self.pieces.append(" ")
        self._preformatted += tag == "pre"

    def handle_endtag(self, tag: str) -> None:
        # A page that forgets to close <nav> ends with it, instead of losing all that follows an inner tag.
        if tag in self._unread:
            while self._unread.pop() != tag:
                pass
        if tag in _BLOCKS:
            self.pieces.append("\n\n")
        self._preformatted -= tag == "pre" and self._preformatted > 0

    def handle_data(self, data: str) -> None:
        if not self._unread:
            self.pieces.append(data if self._preformatted else re.sub(r"\s+", " ", data))
