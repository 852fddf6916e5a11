"""A person plays an environment in the browser, with or without the hint."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from openspade.dashboard.episodes import arguments
from openspade.dashboard.play_sessions import NoSuchSession, Opening, PlaySession
from openspade.dashboard.run_index import RunIndex
from openspade.dashboard.site import TABS, site_of, whole_number
from openspade.errors import SandboxError
from openspade.memory.read.design_list import find_design
from openspade.rollout.typed import read_action, signature
from openspade.types import Action

LONGEST_FORM_BYTES = 100_000
NUMPY = "import numpy"
LAST_SEED = 2**31 - 1


async def play_page(request: Request) -> Response:
    """The game that `?table=` names, or the door to one (`?seed=` and `?hint=1` choose): looking starts nothing."""
    asked = request.query_params
    try:
        return _board(request, site_of(request).playroom.table(asked.get("table", "")))
    except NoSuchSession:
        opening = await run_in_threadpool(_opening, site_of(request).index, request.path_params, dict(asked))
        return _door(request, opening)


async def play_start(request: Request) -> Response:
    """Sit down to the instance that the form names."""
    form = await _form(request)
    opening = await run_in_threadpool(_opening, site_of(request).index, request.path_params, form)
    try:
        seated = await site_of(request).playroom.sit_down(opening)
    except SandboxError as error:
        return _door(request, opening, f"{error} `openspade doctor` says what is missing.")
    if isinstance(seated, str):
        return _door(request, opening, seated)
    # An address of its own: to reload it goes on with the game.
    return RedirectResponse(f"{request.url.path}?table={seated.id}", status_code=303)


async def play_move(request: Request) -> Response:
    """One turn, or a look at the oracle's moves; answers with the board."""
    playroom = site_of(request).playroom
    form = await _form(request)
    try:
        table = playroom.table(form.get("table", ""))
    except NoSuchSession:
        return site_of(request).pages.render("play_gone.html", again=request.url.path.removesuffix("/move"))
    said = form.get("said", "").replace("\r\n", "\n").strip()
    if "peek" in form:
        await playroom.peek(table)
    elif said:
        await playroom.move(table, read_action(said, table.description.kind))
    return _board(request, table)


def action_words(action: Action) -> str:
    """An action as a person would type it."""
    calls = "\n".join(f"{call.name}({arguments(call)})" for call in action.calls)
    return "\n".join(part for part in (calls, action.text) if part)


def _board(request: Request, table: PlaySession) -> Response:
    name = "play_board.html" if request.headers.get("hx-request") == "true" else "play.html"
    return site_of(request).pages.render(
        name,
        slug=table.opening.slug,
        tabs=TABS,
        tab="environments",
        training=False,
        understood=True,
        table=table,
        tools=[_tool(tool) for tool in table.description.tools],
        words=action_words,
        another=secrets.randbelow(1_000_000),
    )


def _door(request: Request, opening: Opening, problem: str = "") -> Response:
    return site_of(request).pages.render(
        "play_door.html",
        slug=opening.slug,
        tabs=TABS,
        tab="environments",
        training=False,
        understood=True,
        opening=opening,
        problem=problem,
    )


def _opening(index: RunIndex, path: Mapping[str, str], asked: Mapping[str, str]) -> Opening:
    seed = whole_number(asked.get("seed"))
    with index.open(path["run"]) as run:
        design = find_design(run.database, path["design"]).design
        return Opening(
            slug=run.slug,
            design_id=design.id,
            source=design.source,
            seed=secrets.randbelow(1_000_000) if seed is None else min(seed, LAST_SEED),
            hinted=asked.get("hint") == "1",
            numpy=NUMPY in design.source,
        )


def _tool(tool: Mapping[str, object]) -> tuple[str, str]:
    """A tool's signature, and the call to start typing from."""
    said = signature(tool)  # type: ignore[arg-type]
    head, _, _ = said.partition("  ")
    name, _, inside = head.partition("(")
    names = [part.split(":")[0].strip() for part in inside.rstrip(")").split(", ") if "= ..." not in part]
    return said, f"{name}({', '.join(f'{each}=' for each in names if each)})"


async def _form(request: Request) -> dict[str, str]:
    """A short form's fields. Raises HTTPException for a long one."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > LONGEST_FORM_BYTES:
            raise HTTPException(413, f"A move may have {LONGEST_FORM_BYTES} bytes.")
    return dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
