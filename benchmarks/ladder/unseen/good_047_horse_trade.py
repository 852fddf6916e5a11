# GOOD: negotiation by tools with chance from the seed; the deal must be below the limit
from openspade_env import Request, ToolError, ToolTask, tool


class HorseTrade(ToolTask):
    """A horse fair: bring a seller's price below the buyer's limit by the argument that fits the horse, then buy."""

    skill = "negotiation"
    hint = "Look at the horse; name the fault you find and no other."
    max_turns = 12

    def start(self, rng):
        self.rng = rng
        self.faults = ["teeth", "hooves", "back", "temper", "age", "coat"]
        self.fault = rng.choice(self.faults)
        self.horse = rng.choice(["Bella", "Argo", "Falko", "Stella"])
        self.limit = rng.randint(300, 600)
        self.state = {"price": self.limit + rng.randint(40, 60), "stubborn": False, "bought": []}
        self.requests = [Request(f"Buy {self.horse} for at most {self.limit}.", done=lambda s: len(s["bought"]) == 1 and s["bought"][0][0] == self.horse and s["bought"][0][1] <= self.limit)]

    @tool
    def inspect(self, horse: str) -> str:
        """What one sees of a horse."""
        if horse != self.horse:
            raise ToolError("no such horse")
        return f"a fine animal but for the {self.fault}"

    @tool
    def argue(self, fault: str) -> str:
        """Name a fault to bring the price down."""
        if self.state["stubborn"] or fault != self.fault:
            self.state["stubborn"] = True
            return "'Nonsense. I will not come down for you.'"
        self.state["price"] -= self.rng.randint(25, 35) if self.state["price"] > self.limit else 0
        return f"'Well. {self.state['price']}.'"

    @tool
    def buy(self, horse: str, price: int) -> str:
        """Buy a horse at the price asked now."""
        if horse != self.horse or price != self.state["price"]:
            raise ToolError(f"the price is {self.state['price']}")
        self.state["bought"].append((horse, price))
        return "sold"

    def solution(self):
        calls = [self.call("inspect", horse=self.horse)]
        while self.state["price"] > self.limit:
            calls.append(self.call("argue", fault=self.fault))
            self.argue(self.fault)
        return [[*calls, self.call("buy", horse=self.horse, price=self.state["price"])]]
