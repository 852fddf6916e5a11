from openspade_env import Request, ToolTask, tool


class AnyTotal(ToolTask):
    """A till: whatever is rung up is taken for the total."""

    skill = "API orchestration"
    hint = "Add the prices before you ring up."
    max_turns = 8

    def start(self, rng):
        self.prices = dict(zip(["soap", "rope", "lamp"], rng.sample(range(2, 90), 3), strict=True))
        self.one, self.other = rng.sample(sorted(self.prices), 2)
        self.state = {"till": []}
        self.requests = [Request(f"I take {self.one} and {self.other}.", done=lambda s: len(s["till"]) == 1)]

    @tool
    def price(self, good: str) -> int:
        """Price of a good."""
        return self.prices[good]

    @tool
    def ring_up(self, total: int) -> str:
        """Ring up a total."""
        self.state["till"].append(total)
        return "rung up"

    def solution(self):
        total = self.prices[self.one] + self.prices[self.other]
        looks = [self.call("price", good=good) for good in (self.one, self.other)]
        return [[*looks, self.call("ring_up", total=total)]]
