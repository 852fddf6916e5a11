# GOOD: a history with commits; the order of dependent steps matters
from openspade_env import Request, ToolError, ToolTask, tool


class History(ToolTask):
    """A version store: bring one change from a side branch to the main one and tag it."""

    skill = "multi-step workflow"
    hint = "Look the change up in the side branch's log, pick it, then tag the version that the pick made."
    max_turns = 10

    def start(self, rng):
        self.numbers = iter(rng.sample(range(1000, 9999), 40))
        topics = rng.sample(["fix login", "add icons", "drop cache", "sort names", "new font"], 4)
        self.side, self.tag = rng.choice(["dev", "next", "trial"]), f"v{rng.randint(2, 9)}.{rng.randint(0, 9)}"
        self.log = {f"c{n}": t for n, t in zip(rng.sample(range(100, 999), 4), topics)}
        self.topic = rng.choice(topics)
        self.wanted = next(c for c, t in self.log.items() if t == self.topic)
        self.made = f"c{rng.randint(1000, 9999)}"
        del self.numbers
        self.state = {"main": [], "tags": {}}
        self.requests = [Request(f"Bring '{self.topic}' from {self.side} to main and tag the result {self.tag}.", done=lambda s: s == {"main": [(self.made, self.wanted)], "tags": {self.tag: self.made}})]

    @tool
    def log_of(self, branch: str) -> dict:
        """Changes of a branch with their titles."""
        if branch == "main":
            return {new: self.log[old] for new, old in self.state["main"]}
        if branch != self.side:
            raise ToolError(f"there are main and {self.side}")
        return self.log

    @tool
    def pick(self, change: str) -> str:
        """Copy a change of the side branch to main; the answer is its name there."""
        if change not in self.log:
            raise ToolError("no such change")
        made = self.made if not self.state["main"] else f"{self.made}x{len(self.state['main'])}"
        self.state["main"].append((made, change))
        return made

    @tool
    def set_tag(self, tag: str, change: str) -> str:
        """Tag a change of main."""
        if change not in [new for new, _ in self.state["main"]]:
            raise ToolError("main has no such change")
        self.state["tags"][tag] = change
        return "tagged"

    def solution(self):
        return [[self.call("log_of", branch=self.side), self.call("pick", change=self.wanted), self.call("set_tag", tag=self.tag, change=self.made)]]
