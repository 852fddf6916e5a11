from openspade_env import Request, ToolTask, tool


class SpellsOutTheCall(ToolTask):
    """A user who speaks in function calls."""

    skill = "tool selection"
    hint = "Do what is said."

    def start(self, rng):
        self.level = rng.randint(10, 99)
        self.state = {"level": 0}
        self.requests = [Request(f"Please run fill(level={self.level}).", done=lambda s: s["level"] == self.level)]

    @tool
    def fill(self, level: int) -> str:
        """Fill the tank to a level."""
        self.state["level"] = level
        return "filled"

    def solution(self):
        return [[self.call("fill", level=self.level)]]
