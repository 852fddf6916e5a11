# BAD: the stock is a dictionary of the module that bookings of earlier episodes use up
from openspade_env import Request, ToolError, ToolTask, tool


STOCK = {"tent": 5, "stove": 5, "canoe": 5, "lamp": 5}


class Hire(ToolTask):
    """A hire shop: reserve the gear that a customer asks for if enough is there."""

    skill = "state modification"
    hint = "Look at the stock first."
    max_turns = 8

    def start(self, rng):
        self.gear, self.days = rng.choice(sorted(STOCK)), rng.randint(1, 30)
        self.state = {"hired": []}
        self.requests = [Request(f"One {self.gear} for {self.days} days.", done=lambda s: s["hired"] == [(self.gear, self.days)])]

    @tool
    def stock(self, gear: str) -> int:
        """How many are left."""
        return STOCK[gear]

    @tool
    def hire(self, gear: str, days: int) -> str:
        """Hire one out."""
        if gear not in STOCK:
            raise ToolError("unknown gear")
        STOCK[gear] = STOCK[gear] - 1 if STOCK[gear] > 1 else 5
        self.state["hired"].append((gear, days))
        return "hired"

    def solution(self):
        return [[self.call("stock", gear=self.gear), self.call("hire", gear=self.gear, days=self.days)]]
