# GOOD: a query tool with filters; the reply to the user is one number
from openspade_env import Request, ToolTask, tool


from typing import Literal


class Herd(ToolTask):
    """A register of animals: answer a question about it by filters and a final report."""

    skill = "data retrieval"
    hint = "Filter by kind first, add the ages of what is left, then report."
    max_turns = 10

    def start(self, rng):
        self.rows = [{"kind": rng.choice(["goat", "cow", "hen"]), "age": rng.randint(1, 14), "farm": rng.choice(["North", "South"])} for _ in range(24)]
        self.kind, self.farm = self.rows[0]["kind"], self.rows[0]["farm"]
        self.sum = sum(r["age"] for r in self.rows if r["kind"] == self.kind and r["farm"] == self.farm)
        self.state = {"reports": []}
        self.requests = [Request(f"How old are the {self.kind}s of farm {self.farm} together? Report the number once.", done=lambda s: s["reports"] == [self.sum])]

    @tool
    def rows_where(self, column: Literal["kind", "farm"], value: str) -> list:
        """Rows in which a column has a value."""
        return [r for r in self.rows if r[column] == value]

    @tool
    def report(self, number: int) -> str:
        """Report the answer; the first report counts."""
        self.state["reports"].append(number)
        return "reported"

    def solution(self):
        return [[self.call("rows_where", column="kind", value=self.kind), self.call("report", number=self.sum)]]
