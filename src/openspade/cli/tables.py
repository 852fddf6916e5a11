"""A table for a person: drawn on a terminal, Markdown elsewhere, so that it can be pasted into a page."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from openspade.cli.terminal import one_line, plain, screen

CELL_WIDTH = 60


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
        table.add_column(Text(plain(name)), justify="right" if place else "left", overflow="fold")
    for cells in rows:
        table.add_row(*(Text(one_line(cell, CELL_WIDTH)) for cell in cells))
    screen.print(table)
