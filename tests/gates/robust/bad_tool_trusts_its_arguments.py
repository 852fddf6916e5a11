from openspade_env import Request, ToolTask, tool


class TrustsItsArguments(ToolTask):
    """A tool whose schema allows what its body cannot bear: a list that may be empty."""

    skill = "data retrieval"
    hint = "Pass all three readings at once."

    def start(self, rng):
        self.readings = rng.sample(range(10, 100), 3)
        self.state = {"mean": None}
        wanted = sum(self.readings) / 3
        self.requests = [Request(f"Store the mean of {self.readings}.", done=lambda s: s["mean"] == wanted)]

    @tool
    def store_mean(self, readings: list[int]) -> str:
        """Store the mean of readings."""
        self.state["mean"] = sum(readings) / len(readings)
        return "stored"

    def solution(self):
        return [[self.call("store_mean", readings=self.readings)]]
