"""The corpus: what of it was drawn, and what came of each document."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from openspade.dashboard.site import opened, run_page, whole_number
from openspade.memory.read.coverage import DocumentUse, document_uses
from openspade.memory.read.design_history import find_document
from openspade.memory.read.run_metrics import run_status
from openspade.memory.search.design_search import Search

PAGE = 60
ORDERS: Mapping[str, tuple[str, Callable[[DocumentUse], tuple[float, ...]]]] = {
    "drawn": ("Most drawn", lambda found: (-found.briefs,)),
    "accepted": ("Most accepted", lambda found: (-found.designs.accepted,)),
    "refused": ("Most refused", lambda found: (-found.designs.refused,)),
    "regret": ("Highest regret", lambda found: (-math.inf if found.designs.regret is None else -found.designs.regret,)),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """A file of the corpus: its documents drawn, its designs."""

    name: str
    documents: int
    briefs: int
    accepted: int
    refused: int


def corpus_page(request: Request) -> Response:
    asked = request.query_params
    order = asked.get("order", "drawn")
    first = whole_number(asked.get("from")) or 0
    with opened(request) as run:
        found = document_uses(run.database, run.gallery)
        chosen = [each for each in found if not asked.get("source") or each.source == asked["source"]]
        _, key = ORDERS.get(order, ORDERS["drawn"])
        # A document without a regret comes last, whatever the order.
        ranked = sorted(chosen, key=lambda each: (order == "regret" and each.designs.regret is None, *key(each)))
        return run_page(
            request,
            run,
            "corpus.html",
            "corpus",
            shown=ranked[first : first + PAGE],
            first=first,
            more=first + PAGE if len(ranked) > first + PAGE else 0,
            total=len(ranked),
            sources=sources(found),
            licences=sorted({each.licence for each in found}),
            order=order,
            orders={name: label for name, (label, _) in ORDERS.items()},
            source=asked.get("source", ""),
            coverage=run_status(run.database).metrics.get("curriculum/document_coverage_share"),
            enabled=run.settings.corpus.enabled,
            path=run.settings.corpus.path,
        )


def document_page(request: Request) -> Response:
    with opened(request) as run:
        document = find_document(run.database, request.path_params["document"])
        if document is None:
            raise HTTPException(404, f"No brief of this run carried the document {request.path_params['document']}.")
        entries = run.gallery.find(run.database, Search(document_id=document.id, limit=60))
        return run_page(request, run, "document.html", "corpus", document=document, entries=entries, more="")


def sources(found: Sequence[DocumentUse]) -> list[Source]:
    """The corpus by file, the most drawn first."""
    by_name = groupby(sorted(found, key=lambda each: each.source), key=lambda each: each.source)
    added = [
        Source(
            name=name,
            documents=len(mine := list(group)),
            briefs=sum(each.briefs for each in mine),
            accepted=sum(each.designs.accepted for each in mine),
            refused=sum(each.designs.refused for each in mine),
        )
        for name, group in by_name
    ]
    return sorted(added, key=lambda source: (-source.briefs, source.name))
