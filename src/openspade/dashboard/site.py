"""What every page stands on: the index of runs, the templates, the playroom, and the frame around a run's pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from openspade.dashboard.play_sessions import PlaySessions
from openspade.dashboard.rendering import Pages
from openspade.dashboard.run_index import OpenRun, RunIndex, writer_of

LONGEST_NUMBER = 18
TABS = (
    ("overview", "Overview", ""),
    ("environments", "Environments", "environments"),
    ("corpus", "Corpus", "corpus"),
    ("events", "Events", "events"),
    ("config", "Config", "config"),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Site:
    """Kept by the application for all requests."""

    index: RunIndex
    pages: Pages
    playroom: PlaySessions


def site_of(request: Request) -> Site:
    return request.app.state.site


@contextmanager
def opened(request: Request) -> Iterator[OpenRun]:
    """The run that the address names."""
    with site_of(request).index.open(request.path_params["run"]) as run:
        yield run


def run_page(request: Request, run: OpenRun, template: str, tab: str, **values: object) -> Response:
    """A page of a run, in its frame."""
    return site_of(request).pages.render(
        template,
        200,
        slug=run.slug,
        tabs=TABS,
        tab=tab,
        training=writer_of(run.directory) is not None,
        understood=run.config is not None,
        **values,
    )


def numbered(request: Request, *names: str) -> list[int]:
    """Numbers in the address. Raises HTTPException."""
    found = [whole_number(request.path_params[name]) for name in names]
    if None in found:
        raise HTTPException(404)
    return [number for number in found if number is not None]


def whole_number(text: str | None) -> int | None:
    """A count from an address; None for anything else, and for what no row of a database can have."""
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER else None


def is_fragment(request: Request) -> bool:
    """Whether htmx asks for a part of a page."""
    return request.headers.get("hx-request") == "true"
