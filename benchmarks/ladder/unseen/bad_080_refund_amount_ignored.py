# BAD: any amount refunded meets the request, only the order is compared
from openspade_env import Request, ToolError, ToolTask, tool


class Refunds(ToolTask):
    """A shop's desk: a customer wants part of an order's price back."""

    skill = "state modification"
    hint = "Look the order up; the share asked for is of its price."
    max_turns = 8

    def start(self, rng):
        self.orders = {f"R{n}": rng.randrange(400, 9000, 20) for n in rng.sample(range(100, 999), 4)}
        self.order, self.share = rng.choice(sorted(self.orders)), rng.choice([10, 25, 50])
        self.state = {"refunds": []}
        self.requests = [Request(f"Give me {self.share} percent of order {self.order} back.", done=lambda s: [o for o, _ in s["refunds"]] == [self.order])]

    @tool
    def price(self, order: str) -> int:
        """The price of an order in cents."""
        return self.orders[order]

    @tool
    def refund(self, order: str, cents: int) -> str:
        """Pay money back."""
        if order not in self.orders or cents <= 0:
            raise ToolError("no such order or no such amount")
        self.state["refunds"].append((order, cents))
        return "paid"

    def solution(self):
        return [[self.call("price", order=self.order), self.call("refund", order=self.order, cents=self.orders[self.order] * self.share // 100)]]
