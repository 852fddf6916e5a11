# BAD: there are forty codes and sixteen calls fit into a message: trying all of them opens it
from openspade_env import Request, ToolError, ToolTask, tool


class Gate(ToolTask):
    """A barrier opens by a code that a guard's book holds."""

    skill = "data retrieval"
    hint = "The guard on duty is in the rota, the guard's code in the book."
    max_turns = 8

    def start(self, rng):
        self.guards = dict(zip(rng.sample(["Udo", "Ines", "Karl", "Mona"], 4), rng.sample(range(1, 41), 4)))
        self.duty, self.tag = sorted(self.guards)[rng.randrange(4)], rng.randint(100, 999)
        self.state = {"opened": 0}
        self.requests = [Request(f"Barrier {self.tag}: open it with the code of the guard on duty.", done=lambda s: s["opened"] == 1)]

    @tool
    def rota(self) -> str:
        """Who is on duty."""
        return self.duty

    @tool
    def book(self, guard: str) -> int:
        """A guard's code."""
        return self.guards[guard]

    @tool
    def enter(self, code: int) -> str:
        """Enter a code from 1 to 40."""
        if code != self.guards[self.duty]:
            raise ToolError("wrong code")
        self.state["opened"] += 1
        return "open"

    def solution(self):
        return [[self.call("rota"), self.call("book", guard=self.duty), self.call("enter", code=self.guards[self.duty])]]
