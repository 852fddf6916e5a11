"""A table for a person: drawn on a terminal, Markdown elsewhere, so that it can be pasted into a page."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from openspade.cli.terminal import one_line, plain, screen

CELL_WIDTH = 200
LABEL_WIDTH = 14
UNBROKEN_WIDTH = 26
"""Cells of columns that are nowhere wider stay on one line."""


def show_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows under their heads; all columns but the first hold numbers."""
    if not screen.is_terminal:
        aligned = ["---", *["---:"] * (len(head) - 1)]
        for cells in (head, aligned, *rows):
            screen.print(
                "| " + " | ".join(plain(cell, lines=False).replace("|", "\\|") for cell in cells) + " |", soft_wrap=True
            )
        return
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1))
    for place, name in enumerate(head):
        whole = place > 0 and max(len(cells[place]) for cells in [head, *rows]) <= UNBROKEN_WIDTH
        table.add_column(Text(plain(name)), justify="right" if whole else "left", overflow="fold", no_wrap=whole)
    table.columns[0].min_width = min(LABEL_WIDTH, max(len(cells[0]) for cells in [head, *rows]))
    for cells in rows:
        table.add_row(*(Text(one_line(cell, CELL_WIDTH)) for cell in cells))
    screen.print(table)
