"""What happened, in words, and what the run was started with."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from openspade.config import Config
from openspade.dashboard.site import is_fragment, opened, run_page, whole_number
from openspade.memory.read.run_metrics import event_kinds, read_events, run_facts
from openspade.recipe import flat, show
from openspade.run_folder import CONFIG_FILE

PAGE = 100


def events_page(request: Request) -> Response:
    asked = request.query_params
    before = whole_number(asked.get("before"))
    kind = asked.get("kind") or None
    with opened(request) as run:
        events = read_events(run.database, kind=kind, before=before, limit=PAGE)
        more = events[-1].number if len(events) == PAGE else 0
        name = "event_rows.html" if is_fragment(request) and before is not None else "events.html"
        return run_page(
            request, run, name, "events", events=events, more=more, kind=kind or "", kinds=event_kinds(run.database)
        )


def config_page(request: Request) -> Response:
    with opened(request) as run:
        stored = run.directory / CONFIG_FILE
        text = stored.read_text(encoding="utf-8", errors="replace") if stored.is_file() else ""
        return run_page(
            request,
            run,
            "config.html",
            "config",
            text=show(run.config) if run.config else text,
            changed=changed(run.config) if run.config else {},
            facts=run_facts(run.database),
            directory=str(run.directory),
        )


def changed(config: Config) -> Mapping[str, tuple[object, object]]:
    """Settings that are not the default: path to (value, default)."""
    mine, usual = (flat(each.model_dump(mode="json", by_alias=True)) for each in (config, Config()))
    return {path: (value, usual.get(path)) for path, value in mine.items() if value != usual.get(path)}
