# BAD: every request is impossible, so declining each time wins
from openspade_env import Request, ToolError, ToolTask, tool


class Kiosk(ToolTask):
    """A kiosk that sells papers: decide which wishes it can meet."""

    skill = "judgement"
    hint = "See what is in stock before you decline."
    max_turns = 8

    def start(self, rng):
        self.stock = rng.sample(["Herald", "Times", "Globe", "Post", "Echo"], 2)
        gone = [p for p in ["Herald", "Times", "Globe", "Post", "Echo"] if p not in self.stock]
        rng.shuffle(gone)
        self.state = {"sold": []}
        self.requests = [Request(f"One {paper} of the {rng.randint(1, 28)}th, please.", impossible=True) for paper in gone]

    @tool
    def in_stock(self) -> list:
        """Papers in stock."""
        return self.stock

    @tool
    def sell(self, paper: str) -> str:
        """Sell a paper."""
        if paper not in self.stock:
            raise ToolError("not in stock")
        self.state["sold"].append(paper)
        return "sold"

    def solution(self):
        return [[self.call("in_stock"), self.decline("not in stock")] for _ in self.requests]
