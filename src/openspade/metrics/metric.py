"""What is known of a metric: labels, format, colour, which way is better, what it means, where it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Colour = Literal["blue", "orange", "green", "red", "purple", "sky", "olive", "grey"]
Format = Literal["share", "signed", "score", "number", "count", "seconds"]
Better = Literal["higher", "lower", "neither"]
Shown = Literal["headline", "table", "details"]
ANY = "*"


@dataclass(frozen=True, kw_only=True, slots=True)
class Metric:
    """`group/quantity_unit` and what is known of it.

    A name with `*` is a family: the star stands for what its members differ in, in the labels too. `label` heads a
    table's row, `short` stands in a line, a legend or a narrow column. `half` names the metric that holds the half
    width of its interval, `low` and `high` those that hold its ends. `derived` ones are worked out by who shows them.
    """

    name: str
    label: str
    short: str
    meaning: str
    format: Format = "number"
    better: Better = "neither"
    colour: Colour = "grey"
    unit: str = ""
    half: str = ""
    low: str = ""
    high: str = ""
    chart: str = ""
    shown: Shown = "details"
    derived: bool = False

    @property
    def group(self) -> str:
        return self.name.partition("/")[0]

    def member_of(self, name: str) -> str | None:
        """What the star stands for where the name is one of this family; None where it is not."""
        start, star, end = self.name.partition(ANY)
        fits = star and name.startswith(start) and name.endswith(end) and len(name) > len(start) + len(end)
        return name[len(start) : len(name) - len(end)] if fits else None
