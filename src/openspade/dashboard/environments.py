"""The gallery: designs by what is known of them, each with what its player reads first."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args
from urllib.parse import urlencode

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import Response

from openspade.credit.flags import FLAGS
from openspade.dashboard.run_index import RunIndex
from openspade.dashboard.site import is_fragment, opened, run_page, site_of, whole_number
from openspade.errors import StorageError
from openspade.memory.read.design_history import first_play
from openspade.memory.read.excerpts import first_observation
from openspade.memory.search.design_search import Order, Search, choices
from openspade.settings.learning import RewardConfig

PAGE = 24
UNIT = (0.0, 1.0)
VERDICTS = {"accepted": True, "refused": False}
ORDERS = {
    "newest": "Newest first",
    "oldest": "Oldest first",
    "regret": "Highest regret",
    "novelty": "Most novel",
    "hardest": "Hardest",
    "easiest": "Easiest",
}
NO_TRACE = "No play of it was kept."


@dataclass(frozen=True, kw_only=True, slots=True)
class Zone:
    """A range of unaided solve rates that can be asked for by name."""

    label: str
    solve_rates: tuple[float, float]


def zones(reward: RewardConfig) -> Mapping[str, Zone]:
    """Where a design can lie, seen from the band that the Designer is paid for."""
    low, high = reward.band_low, reward.band_high
    return {
        "in": Zone(label=f"In the band, {low:.0%} to {high:.0%}", solve_rates=(low, high)),
        "below": Zone(label="Harder than the band", solve_rates=(0.0, math.nextafter(low, -1))),
        "above": Zone(label="Easier than the band", solve_rates=(math.nextafter(high, 2), 1.0)),
        "never": Zone(label="Never solved unaided", solve_rates=(0.0, 0.0)),
        "always": Zone(label="Always solved unaided", solve_rates=(1.0, 1.0)),
    }


def gallery_page(request: Request) -> Response:
    asked = {key: value for key, value in request.query_params.items() if value}
    with opened(request) as run:
        search = read_search(asked, run.settings.reward)
        entries = run.gallery.find(run.database, search)
        more = _more(asked, entries[-1].key) if len(entries) == PAGE else ""
        if is_fragment(request) and search.after is not None:
            return run_page(request, run, "gallery_cards.html", "environments", entries=entries, more=more)
        response = run_page(
            request,
            run,
            "gallery.html",
            "environments",
            entries=entries,
            more=more,
            asked=asked,
            total=run.gallery.count(run.database, search),
            choices=choices(run.database),
            zones=zones(run.settings.reward),
            orders=ORDERS,
            flags=FLAGS,
        )
    # The first filter would otherwise wait until a long run's designs are read.
    response.background = BackgroundTask(_read_ahead, site_of(request).index, run.slug)
    return response


def thumbnail(request: Request) -> Response:
    """What the player of a design reads first, as a fragment."""
    with opened(request) as run:
        play = first_play(run.database, request.path_params["design"])
        try:
            text = first_observation(run.directory, play.cycle, play.line) if play else NO_TRACE
        except StorageError:
            text = NO_TRACE
        response = run_page(request, run, "thumbnail.html", "environments", text=text, kept=text is not NO_TRACE)
    if text is not NO_TRACE:
        # An episode once stored never changes.
        response.headers["cache-control"] = "private, max-age=3600"
    return response


def read_search(asked: Mapping[str, str], reward: RewardConfig) -> Search:
    """A search from an address; what makes no sense is left out."""
    zone = zones(reward).get(asked.get("zone", ""))
    order: Order = next((order for order in get_args(Order) if order == asked.get("order")), "newest")
    verdict = asked.get("verdict", "")
    return Search(
        skill=asked.get("skill"),
        kind=asked.get("kind"),
        source=asked.get("source"),
        document_id=asked.get("document"),
        accepted=VERDICTS.get(verdict),
        gate=verdict.removeprefix("gate:") if verdict.startswith("gate:") else None,
        solve_rates=zone.solve_rates if zone else None,
        least_regret=_number(asked.get("regret")),
        least_novelty=_number(asked.get("novelty")),
        flag=next((flag for flag in FLAGS if flag == asked.get("flag")), None),
        cycle=_cycle(asked.get("cycle")),
        words=asked.get("words"),
        order=order,
        after=_key(asked.get("after", "")),
        limit=PAGE,
    )


def _more(asked: Mapping[str, str], key: tuple[float, int]) -> str:
    return urlencode({**asked, "after": f"{key[0]!r},{key[1]}"})


def _key(text: str) -> tuple[float, int] | None:
    value, _, place = text.partition(",")
    measured, number = _number(value), whole_number(place)
    return (measured, number) if measured is not None and number is not None else None


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _cycle(text: str | None) -> int | None:
    # Pages count cycles from 1.
    number = whole_number(text)
    return None if number is None else number - 1


def _read_ahead(index: RunIndex, slug: str) -> None:
    with index.open(slug) as run:
        run.gallery.refresh(run.database)
