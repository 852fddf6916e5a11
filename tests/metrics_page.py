"""docs/metrics.md from the catalogue: `python -m tests.metrics_page` writes it."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from openspade.metrics.rows import ROWS

PAGE = Path(__file__).parents[1] / "docs" / "metrics.md"
MARKS = {"higher": "↑", "lower": "↓", "neither": "·"}
HEAD = """# What a run reports each cycle

`group/quantity_unit`; a `*` stands for a role, a gate, a cause or a family of tasks.
↑ higher is better, ↓ lower is better, · neither by itself. All of them are in the database (table `metrics`; held-out
scores in `evaluations`), in `train --json` and in the dashboard's downloads.

This page is written from `src/openspade/metrics/rows.py`: a new metric is its producer and a row there, then
`python -m tests.metrics_page`.
"""


def page() -> str:
    parts = [HEAD]
    for group, rows in groupby(ROWS, key=lambda row: row.group):
        lines = [f"| `{row.name}` | {row.label} | {row.meaning} | {MARKS[row.better]} |" for row in rows]
        parts.append(
            "\n".join([f"## {group}", "", "| metric | label | what it is | |", "|---|---|---|---|", *lines, ""])
        )
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
