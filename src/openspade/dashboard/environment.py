"""One environment: program and hint, where it came from, what the gates said, and how it was played since."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from openspade.credit.flags import FLAGS
from openspade.dashboard.colouring import Piece, pieces, reader_of
from openspade.dashboard.credit import draft_advantages
from openspade.dashboard.site import numbered, opened, run_page
from openspade.memory.read.design_history import DesignHistory, Play, read_design_history
from openspade.memory.read.excerpts import read_draft
from openspade.memory.search.design_search import neighbours_in_order
from openspade.memory.write.history import to_stream

Z95 = 1.96


@dataclass(frozen=True, kw_only=True, slots=True)
class Instance:
    """One seed of a playtest, its plays in both arms."""

    seed: int
    unaided: Sequence[Play]
    hinted: Sequence[Play]


@dataclass(frozen=True, kw_only=True, slots=True)
class Playing:
    """All plays of a cycle."""

    cycle: int
    instances: Sequence[Instance]


def environment_page(request: Request) -> Response:
    with opened(request) as run:
        dossier = read_design_history(run.database, request.path_params["design"])
        if dossier.stored.design.id != request.path_params["design"]:
            return RedirectResponse(f"/run/{run.slug}/environment/{dossier.stored.design.id}")
        earlier, later = neighbours_in_order(run.database, dossier.number)
        standing = run.gallery.entry(run.database, dossier.number)
        hinted = [measured for measured in dossier.history if measured.stats.hinted_played]
        return run_page(
            request,
            run,
            "environment.html",
            "environments",
            dossier=dossier,
            design=dossier.stored.design,
            playings=by_cycle(dossier),
            latest=dossier.history[-1] if dossier.history else None,
            measured=hinted[-1] if hinted else None,
            earlier=earlier,
            later=later,
            flags={flag: FLAGS[flag] for flag in (standing.flags if standing else ())},
            reward=run.settings.reward,
            z95=Z95,
        )


def draft_page(request: Request) -> Response:
    """What the Designer wrote, token by token."""
    (cycle,), draft_id = numbered(request, "cycle"), request.path_params["draft"]
    with opened(request) as run:
        draft = read_draft(run.directory, cycle, draft_id)
        reader = reader_of(run.directory, run.settings.policy)
        streams: list[list[Piece]] = [pieces(to_stream(stream), reader) for stream in draft["streams"]]
        return run_page(
            request,
            run,
            "draft.html",
            "environments",
            draft=draft,
            cycle=cycle,
            streams=streams,
            readable=reader is not None,
            advantage=draft_advantages(run.database, cycle, run.settings).get(draft_id),
        )


def by_cycle(dossier: DesignHistory) -> list[Playing]:
    """Plays by cycle, latest first, and by seed."""
    cycles: dict[int, dict[int, list[Play]]] = {}
    for play in dossier.plays:
        cycles.setdefault(play.cycle, {}).setdefault(play.seed, []).append(play)
    return [Playing(cycle=cycle, instances=_instances(seeds)) for cycle, seeds in cycles.items()]


def _instances(seeds: Mapping[int, Sequence[Play]]) -> list[Instance]:
    return [
        Instance(
            seed=seed,
            unaided=[play for play in plays if not play.hinted],
            hinted=[play for play in plays if play.hinted],
        )
        for seed, plays in seeds.items()
    ]
