# BAD: a harmless looking reading tool returns the secret target with the rest
from openspade_env import Request, ToolTask, tool


class Valves(ToolTask):
    """A plant: set a valve by the temperature that its table gives for the pressure measured."""

    skill = "multi-step workflow"
    hint = "Measure, look the pressure up in the table, then set."
    max_turns = 8

    def start(self, rng):
        self.valve, self.pressure, self.slope = rng.randint(1, 9), rng.randint(10, 99), rng.randint(2, 9)
        self.target = self.pressure * self.slope + 7
        self.state = {"set": {}, "pressure": self.pressure, "goal": {str(self.valve): self.target}}
        self.requests = [Request(f"Set valve {self.valve} as the rule for its pressure says.", done=lambda s: s["set"] == s["goal"])]

    @tool
    def measure(self) -> int:
        """The pressure now."""
        return self.pressure

    @tool
    def rule(self) -> str:
        """How a setting follows from the pressure."""
        return f"{self.slope} times the pressure, plus 7"

    @tool
    def status(self) -> dict:
        """The state of the plant."""
        return self.state

    @tool
    def set_valve(self, valve: int, degrees: int) -> str:
        """Set a valve."""
        self.state["set"][str(valve)] = degrees
        return "set"

    def solution(self):
        return [[self.call("measure"), self.call("rule"), self.call("set_valve", valve=self.valve, degrees=self.target)]]
