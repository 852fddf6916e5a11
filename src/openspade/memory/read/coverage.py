"""What came of each corpus document: how often it was drawn, what was written from it, and what that was worth."""

from __future__ import annotations

from dataclasses import dataclass

from openspade.memory.database import Database, as_record
from openspade.memory.search.design_search import DesignSearch, DesignsFrom

NOTHING = DesignsFrom(accepted=0, refused=0, solve_rate=None, regret=None)


@dataclass(frozen=True, kw_only=True, slots=True)
class DocumentUse:
    """One document and what came of it; `briefs` counts how often it was drawn."""

    document_id: str
    source: str
    version: str
    span: tuple[int, int]
    licence: str
    beginning: str
    briefs: int
    designs: DesignsFrom


def document_uses(database: Database, gallery: DesignSearch) -> tuple[DocumentUse, ...]:
    """Every document drawn so far, the most drawn first."""
    written = gallery.by_document(database)
    query = (
        "SELECT documents.id AS document_id, source, version, span_start, span_end, substr(text, 1, 400) AS beginning, "
        "coalesce(nullif(licence, ''), 'not stated') AS licence, coalesce(asked.n, 0) AS briefs FROM documents "
        "LEFT JOIN (SELECT document_id, count(*) AS n FROM briefs GROUP BY document_id) AS asked "
        "ON asked.document_id = documents.id ORDER BY briefs DESC, source, span_start"
    )
    return tuple(
        as_record(
            DocumentUse,
            row,
            span=(row["span_start"], row["span_end"]),
            designs=written.get(row["document_id"], NOTHING),
        )
        for row in database.rows(query)
    )
