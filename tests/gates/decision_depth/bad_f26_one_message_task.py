# asked: several turns
from openspade_env import Request, ToolTask, tool


class OneMessage(ToolTask):
    """All calls can be made at once, for none needs another's result."""

    skill = "state modification"
    hint = "Look at the units: the scale wants grams."

    def start(self, rng):
        self.grams = rng.randint(1001, 9999)
        self.state = {"scale": 0}
        self.requests = [
            Request(f"Set the scale to {self.grams / 1000:g} kg.", done=lambda s: s["scale"] == self.grams)
        ]

    @tool
    def set_scale(self, grams: int) -> str:
        """Set the scale."""
        self.state["scale"] = grams
        return "set"

    def solution(self):
        return [[self.call("set_scale", grams=self.grams)]]
