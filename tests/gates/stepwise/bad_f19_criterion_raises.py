from openspade_env import Request, ToolTask, tool


class CriterionRaises(ToolTask):
    """The criterion reads what only the tool creates; swallowed, it would look like "not yet"."""

    skill = "state modification"
    hint = "One call is enough."

    def start(self, rng):
        self.level = rng.randint(10, 99)
        self.state = {}
        self.requests = [Request(f"Fill the tank to {self.level}.", done=lambda s: s["level"] == self.level)]

    @tool
    def fill(self, level: int) -> str:
        """Fill the tank to a level."""
        self.state["level"] = level
        return "filled"

    def solution(self):
        return [[self.call("fill", level=self.level)]]
