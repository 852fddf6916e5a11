# GOOD: two tools that fail once each, a state that a failed call leaves as it was
from openspade_env import Request, ToolError, ToolTask, tool


class Crane(ToolTask):
    """A container yard: lift a container from its stack and put it on a lorry, with tools that stick now and then."""

    skill = "error recovery"
    hint = "Repeat the very call that failed; nothing was moved by it."
    max_turns = 14

    def start(self, rng):
        self.stacks = {f"K{n}": rng.sample(range(100, 999), 3) for n in rng.sample(range(1, 9), 3)}
        self.stack = rng.choice(sorted(self.stacks))
        self.box, self.lorry = self.stacks[self.stack][-1], rng.randint(10, 99)
        self.state = {"hook": None, "lorries": {}}
        self.requests = [Request(f"Container {self.box} onto lorry {self.lorry}. It lies on top of some stack.", done=lambda s: s["lorries"] == {self.lorry: self.box})]

    @tool
    def tops(self) -> dict:
        """The container on top of each stack."""
        return {stack: boxes[-1] for stack, boxes in sorted(self.stacks.items())}

    @tool
    def lift(self, stack: str) -> str:
        """Lift the top container of a stack."""
        if stack not in self.stacks:
            raise ToolError("no such stack")
        if self.state["hook"]:
            raise ToolError("the hook is not free")
        self.fail_once("the hook slipped")
        self.state["hook"] = self.stacks[stack][-1]
        return f"{self.state['hook']} hangs on the hook"

    @tool
    def lower(self, lorry: int) -> str:
        """Lower what hangs on the hook onto a lorry."""
        if not self.state["hook"]:
            raise ToolError("nothing hangs on the hook")
        self.fail_once("too much wind, once more")
        self.state["lorries"][lorry] = self.state["hook"]
        self.state["hook"] = None
        return "lowered"

    def solution(self):
        lift, lower = self.call("lift", stack=self.stack), self.call("lower", lorry=self.lorry)
        return [[self.call("tops"), lift, lift, lower, lower]]
