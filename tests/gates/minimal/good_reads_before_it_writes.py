from openspade_env import Request, ToolTask, tool


class ReadsBeforeItWrites(ToolTask):
    """The first call changes nothing, but tells what the second needs: it is no idle call."""

    skill = "API orchestration"
    hint = "The catalogue has the code that the order wants."

    def start(self, rng):
        items = rng.sample(["lamp", "chair", "table", "shelf", "carpet"], 3)
        self.state = {"codes": {item: f"C{rng.randint(1000, 9999)}" for item in items}, "ordered": []}
        self.item = items[0]
        code = self.state["codes"][self.item]
        self.requests = [Request(f"Order a {self.item}.", done=lambda s: s["ordered"] == [code])]

    @tool
    def catalogue(self) -> dict:
        """Codes of all items."""
        return self.state["codes"]

    @tool
    def order(self, code: str) -> str:
        """Order an item by its code."""
        self.state["ordered"].append(code)
        return "ordered"

    def solution(self):
        return [[self.call("catalogue"), self.call("order", code=self.state["codes"][self.item])]]
