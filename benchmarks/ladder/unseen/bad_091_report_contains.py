# BAD: the report needs only to contain the answer somewhere; a report of all names wins
from openspade_env import Request, ToolTask, tool


class Census(ToolTask):
    """A town's register: find who owns most cattle and report the name."""

    skill = "data retrieval"
    hint = "Ask for every farm, then compare."
    max_turns = 10

    def start(self, rng):
        self.cattle = dict(zip(["Aker", "Berg", "Dahl", "Engen", "Foss"], rng.sample(range(3, 200), 5)))
        self.most, self.year = max(self.cattle, key=self.cattle.get), rng.randint(1700, 1899)
        self.state = {"report": ""}
        self.requests = [Request(f"Census of {self.year}: which of {', '.join(self.cattle)} has most cattle? Report the name.", done=lambda s: self.most in s["report"])]

    @tool
    def farm(self, name: str) -> int:
        """Cattle of a farm."""
        return self.cattle[name]

    @tool
    def report(self, text: str) -> str:
        """Hand in the report."""
        self.state["report"] = text
        return "handed in"

    def solution(self):
        return [[*(self.call("farm", name=n) for n in self.cattle), self.call("report", text=self.most)]]
