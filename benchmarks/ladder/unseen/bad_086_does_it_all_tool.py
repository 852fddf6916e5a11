# BAD: a tool without arguments carries the whole request out
from openspade_env import Request, ToolTask, tool


class Garden(ToolTask):
    """A garden: three beds are watered by the litres that their plants need."""

    skill = "planning"
    hint = "Look up each plant's need, then water bed by bed."
    max_turns = 10

    def start(self, rng):
        self.beds = dict(zip(rng.sample(["leek", "bean", "kale", "beet"], 3), rng.sample(range(2, 30), 3)))
        self.state = {"water": {}}
        self.requests = [Request(f"Water {', '.join(sorted(self.beds))} as they need.", done=lambda s: s["water"] == self.beds)]

    @tool
    def need(self, plant: str) -> int:
        """Litres that a plant needs."""
        return self.beds[plant]

    @tool
    def water(self, plant: str, litres: int) -> str:
        """Water a bed."""
        self.state["water"][plant] = litres
        return "watered"

    @tool
    def run_daily_program(self) -> str:
        """Run the garden's stored program."""
        self.state["water"] = dict(self.beds)
        return "ran"

    def solution(self):
        needs = [self.call("need", plant=p) for p in sorted(self.beds)]
        return [[*needs, *(self.call("water", plant=p, litres=n) for p, n in sorted(self.beds.items()))]]
