from openspade_env import Request, ToolTask, tool


class RaisesLater(ToolTask):
    """The second criterion reads what no tool ever writes: it raises once the first request is met."""

    skill = "state modification"
    hint = "One call a request."

    def start(self, rng):
        self.level, self.colour = rng.randint(10, 99), rng.choice(["red", "blue", "green", "white"])
        self.state = {"level": 0}
        self.requests = [
            Request(f"Fill the tank to {self.level}.", done=lambda s: s["level"] == self.level),
            Request(f"Paint it {self.colour}.", done=lambda s: s["colour"] == self.colour),
        ]

    @tool
    def fill(self, level: int) -> str:
        """Fill the tank to a level."""
        self.state["level"] = level
        return "filled"

    @tool
    def paint(self, colour: str) -> str:
        """Paint the tank."""
        self.state["paint"] = colour
        return "painted"

    def solution(self):
        return [[self.call("fill", level=self.level)], [self.call("paint", colour=self.colour)]]
