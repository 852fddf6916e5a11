from openspade_env import Request, ToolError, ToolTask, tool


class AlwaysRaises(ToolTask):
    """One of the tools is a dummy."""

    skill = "tool selection"
    hint = "Take the tool that names what you want."

    def start(self, rng):
        self.level = rng.randint(10, 99)
        self.state = {"level": 0}
        self.requests = [Request(f"Fill the tank to {self.level}.", done=lambda s: s["level"] == self.level)]

    @tool
    def fill(self, level: int) -> str:
        """Fill the tank to a level."""
        self.state["level"] = level
        return "filled"

    @tool
    def drain(self, level: int) -> str:
        """Drain the tank to a level."""
        raise ToolError("not implemented")

    def solution(self):
        return [[self.call("fill", level=self.level)]]
