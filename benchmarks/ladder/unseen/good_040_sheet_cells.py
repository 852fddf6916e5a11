# GOOD: a dictionary of cells as an argument; the sum is computed by the sheet itself
from openspade_env import Request, ToolTask, tool


class Sheet(ToolTask):
    """A spreadsheet: enter figures from a bill and write the total that the sheet shows into a box."""

    skill = "multi-step workflow"
    hint = "Enter all cells in one call, read the total with the surcharge, then write it."
    max_turns = 8

    def start(self, rng):
        self.cells = {f"{c}{r}": rng.randint(10, 900) for c, r in zip("ABC", rng.sample(range(1, 20), 3))}
        self.extra, self.box = rng.randint(3, 60), rng.choice(["D1", "E2", "F3"])
        told = ", ".join(f"{c} = {v}" for c, v in self.cells.items())
        self.state = {"cells": {}, "boxes": {}}
        total = sum(self.cells.values()) + self.extra
        self.total = total
        self.requests = [Request(f"Enter {told}. Then write the sheet's total into box {self.box}.", done=lambda s: s == {"cells": self.cells, "boxes": {self.box: total}})]

    @tool
    def enter(self, cells: dict[str, int]) -> str:
        """Enter figures into cells."""
        self.state["cells"].update(cells)
        return "entered"

    @tool
    def total_of_sheet(self) -> int:
        """The total of all cells with the sheet's surcharge."""
        return sum(self.state["cells"].values()) + self.extra

    @tool
    def write_box(self, box: str, number: int) -> str:
        """Write a number into a box."""
        self.state["boxes"][box] = number
        return "written"

    def solution(self):
        return [[self.call("enter", cells=self.cells), self.call("total_of_sheet"), self.call("write_box", box=self.box, number=self.total)]]
