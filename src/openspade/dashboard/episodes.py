"""One episode: every turn, every token, every tool call, nothing cut."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from openspade.dashboard.colouring import pieces, reader_of
from openspade.dashboard.credit import episode_advantage
from openspade.dashboard.site import numbered, opened, run_page
from openspade.errors import StorageError
from openspade.memory.read.design_history import Play, find_play, plays_beside
from openspade.memory.read.design_list import find_design
from openspade.memory.read.excerpts import read_episode
from openspade.types import ToolCall, Turn


@dataclass(frozen=True, kw_only=True, slots=True)
class Exchange:
    """A tool call in words, and the environment's answer to it, where there is one."""

    name: str
    arguments: str
    problem: str
    result: str | None


def episode_page(request: Request) -> Response:
    cycle, line = numbered(request, "cycle", "line")
    with opened(request) as run:
        play = find_play(run.database, cycle, line)
        trouble, episode = "", None
        try:
            episode = read_episode(run.directory, cycle, line)
        except StorageError as error:
            trouble = str(error)
        reader = reader_of(run.directory, run.settings.policy)
        return run_page(
            request,
            run,
            "episode.html",
            "environments",
            play=play,
            episode=episode,
            trouble=trouble,
            stored=find_design(run.database, play.design_id),
            beside=_beside(plays_beside(run.database, play), play),
            turns=[(turn, exchanges(turn)) for turn in episode.turns] if episode else [],
            streams=[pieces(stream, reader) for stream in episode.streams] if episode else [],
            readable=reader is not None,
            advantage=episode_advantage(run.database, play, run.settings),
        )


def exchanges(turn: Turn) -> list[Exchange]:
    """A turn's calls, each with its answer; answers beyond the calls stand alone."""
    results = turn.observation.results
    found = [
        Exchange(
            name=call.name,
            arguments=arguments(call),
            problem=call.problem,
            result=results[place] if place < len(results) else None,
        )
        for place, call in enumerate(turn.action.calls)
    ]
    return found + [Exchange(name="", arguments="", problem="", result=result) for result in results[len(found) :]]


def arguments(call: ToolCall) -> str:
    return ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in call.arguments.items())


def _beside(plays: Sequence[Play], play: Play) -> tuple[Play | None, Play | None]:
    """The episodes before and after one in its playtest."""
    place = next(place for place, each in enumerate(plays) if each.line == play.line)
    return (plays[place - 1] if place else None, plays[place + 1] if place + 1 < len(plays) else None)
