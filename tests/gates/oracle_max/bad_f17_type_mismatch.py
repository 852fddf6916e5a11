from openspade_env import Request, ToolTask, tool


class TypeMismatch(ToolTask):
    """The criterion compares a number with a text: it can never come true."""

    skill = "state modification"
    hint = "One call is enough."

    def start(self, rng):
        self.level = rng.randint(10, 99)
        self.state = {"level": 0}
        self.requests = [Request(f"Fill the tank to {self.level}.", done=lambda s: s["level"] == str(self.level))]

    @tool
    def fill(self, level: int) -> str:
        """Fill the tank to a level."""
        self.state["level"] = level
        return "filled"

    def solution(self):
        return [[self.call("fill", level=self.level)]]
