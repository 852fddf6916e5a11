# GOOD: an impossible request in the middle, a price that changes between requests
from openspade_env import Request, ToolError, ToolTask, tool


class FerryOffice(ToolTask):
    """A ferry office: tickets are sold at the price of the moment, and not every wish can be met."""

    skill = "judgement"
    hint = "Ask for the price right before each sale; decline what no tool can do."
    max_turns = 12

    def start(self, rng):
        self.port, other = rng.sample(["Ystad", "Turku", "Visby", "Rønne"], 2)
        self.early, self.late = rng.sample(range(20, 99), 2)
        self.first, self.second = rng.sample(range(1, 9), 2)
        self.state = {"price": {self.port: self.early, other: rng.randint(100, 199)}, "sold": []}
        one, two = (self.port, self.first * self.early), (self.port, self.second * self.late)
        self.requests = [
            Request(f"{self.first} tickets to {self.port}, please.", done=lambda s: s["sold"] == [one]),
            Request("And paint the ferry red.", impossible=True),
            Request(f"Then {self.second} more tickets to {self.port}.", change=lambda s: s["price"].update({self.port: self.late}), done=lambda s: s["sold"] == [one, two]),
        ]

    @tool
    def price(self, port: str) -> int:
        """Price of a ticket now."""
        return self.state["price"][port]

    @tool
    def sell(self, port: str, amount: int) -> str:
        """Sell tickets for an amount, the number times the price."""
        if amount <= 0 or amount % self.state["price"][port]:
            raise ToolError("no whole number of tickets")
        self.state["sold"].append((port, amount))
        return "sold"

    def solution(self):
        price = self.call("price", port=self.port)
        return [
            [price, self.call("sell", port=self.port, amount=self.first * self.early)],
            [self.decline("no tool paints")],
            [price, self.call("sell", port=self.port, amount=self.second * self.late)],
        ]
