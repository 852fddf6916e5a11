from openspade_env import Request, ToolTask, tool


class AnyDecision(ToolTask):
    """Applications are decided upon; nobody looks at how."""

    skill = "tool selection"
    hint = "Approve when the income is three times the rent or more."
    max_turns = 8

    def start(self, rng):
        self.number = str(rng.randint(100, 999))
        self.rent, self.income = rng.randint(300, 900), rng.randint(900, 3000)
        self.state = {"decided": {}}
        self.requests = [Request(f"Decide on {self.number}.", done=lambda s: self.number in s["decided"])]

    @tool
    def file(self, number: str) -> dict:
        """Rent and income of an application."""
        return {"rent": self.rent, "income": self.income} if number == self.number else {}

    @tool
    def decide(self, number: str, approve: bool) -> str:
        """Approve an application, or refuse it."""
        self.state["decided"][number] = approve
        return "noted"

    def solution(self):
        look = self.call("file", number=self.number)
        return [[look, self.call("decide", number=self.number, approve=self.income >= 3 * self.rent)]]
