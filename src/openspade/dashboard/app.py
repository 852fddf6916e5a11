"""The application: addresses to pages, and how what goes wrong is told."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from openspade.dashboard import (
    corpus,
    environment,
    environments,
    episodes,
    overview,
    play,
    record,
    runs,
)
from openspade.dashboard.play_sessions import PlaySessions
from openspade.dashboard.rendering import build_pages
from openspade.dashboard.run_index import NoSuchRun, RunIndex
from openspade.dashboard.security import Guard
from openspade.dashboard.site import Site, site_of
from openspade.errors import StorageError
from openspade.settings.worlds import SandboxConfig

STATIC = Path(__file__).parent / "static"
ROUTES = (
    Route("/", runs.runs_page),
    Route("/compare", runs.compare_page),
    Route("/compare.json", runs.compare_json),
    Route("/run/{run}/", overview.overview_page),
    Route("/run/{run}/series.json", overview.series_json),
    Route("/run/{run}/metrics.csv", overview.export_csv),
    Route("/run/{run}/metrics.json", overview.export_json),
    Route("/run/{run}/environments", environments.gallery_page),
    Route("/run/{run}/environment/{design}", environment.environment_page),
    Route("/run/{run}/environment/{design}/first", environments.thumbnail),
    Route("/run/{run}/draft/{cycle}/{draft:path}", environment.draft_page),
    Route("/run/{run}/episode/{cycle}/{line}", episodes.episode_page),
    Route("/run/{run}/play/{design}", play.play_page),
    Route("/run/{run}/play/{design}", play.play_start, methods=["POST"]),
    Route("/run/{run}/play/{design}/move", play.play_move, methods=["POST"]),
    Route("/run/{run}/corpus", corpus.corpus_page),
    Route("/run/{run}/document/{document:path}", corpus.document_page),
    Route("/run/{run}/events", record.events_page),
    Route("/run/{run}/config", record.config_page),
)


class LastingFiles(StaticFiles):
    """Static files under addresses that change with their content."""

    def file_response(self, *args: object, **kwargs: object) -> Response:
        response = super().file_response(*args, **kwargs)  # type: ignore[arg-type]
        response.headers["cache-control"] = "private, max-age=31536000, immutable"
        return response


def build_app(root: Path, *, token: str = "", sandbox: SandboxConfig | None = None) -> Starlette:
    """The dashboard of a run or of a folder of runs. Raises ConfigError where there is no such folder.

    `sandbox` has the limits under which people play programs: the viewer's own.
    """
    index = RunIndex(root)
    playroom = PlaySessions(sandbox or SandboxConfig())

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        await playroom.close()
        index.close()

    app = Starlette(
        routes=[*ROUTES, Mount("/static", LastingFiles(directory=STATIC))],
        middleware=[Middleware(Guard, token=token), Middleware(GZipMiddleware, minimum_size=2000)],
        exception_handlers={StorageError: _unreadable, NoSuchRun: _no_such_run, HTTPException: _told},
        lifespan=lifespan,
    )
    app.state.site = Site(index=index, pages=build_pages(), playroom=playroom)
    return app


def _unreadable(request: Request, error: Exception) -> Response:
    # The page was found and says what is wrong with the run; only a machine is told by the status.
    if request.url.path.endswith((".json", ".csv")):
        return JSONResponse({"error": str(error)}, status_code=503)
    return _trouble(request, 200, "This cannot be shown", str(error))


def _no_such_run(request: Request, error: Exception) -> Response:
    return _trouble(request, 404, "There is no such run", f"{site_of(request).index.root} holds no run {error}.")


def _told(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404 and error.detail == "Not Found":
        return _trouble(request, 404, "There is no such page", request.url.path)
    return _trouble(request, error.status_code, "That does not work", error.detail)


def _trouble(request: Request, status: int, title: str, text: str) -> Response:
    return site_of(request).pages.render("trouble.html", status, title=title, text=text)
