# BAD: a tool fails with ZeroDivisionError when told a rate of zero
from openspade_env import Request, ToolTask, tool


class Exchange(ToolTask):
    """An exchange desk: change an amount at the rate of the day."""

    skill = "multi-step workflow"
    hint = "Fetch the rate, then change at exactly that rate."
    max_turns = 8

    def start(self, rng):
        self.rate, self.amount = rng.randint(3, 40), rng.randint(2, 90)
        self.day = rng.randint(1, 28)
        self.state = {"changed": []}
        self.requests = [Request(f"Day {self.day}: change {self.amount * self.rate} crowns into pounds.", done=lambda s: s["changed"] == [self.amount])]

    @tool
    def rate_of(self, day: int) -> int:
        """Crowns for a pound on a day."""
        return self.rate if day == self.day else self.rate + day

    @tool
    def change(self, crowns: int, rate: int) -> int:
        """Change crowns into pounds at a rate."""
        pounds = crowns // rate
        self.state["changed"].append(pounds)
        return pounds

    def solution(self):
        return [[self.call("rate_of", day=self.day), self.call("change", crowns=self.amount * self.rate, rate=self.rate)]]
