# GOOD: a listing in pages that must be followed by cursors to the entry
from openspade_env import Request, ToolTask, tool


class Logs(ToolTask):
    """A server's log is read page by page; find the one failure and restart the machine it names."""

    skill = "data retrieval"
    hint = "Follow the cursor of each page until the failure is on it."
    max_turns = 16

    def start(self, rng):
        self.cursors = [f"q{n}" for n in rng.sample(range(100, 999), 6)]
        machines = [f"node{n}" for n in rng.sample(range(10, 99), 18)]
        self.page, self.bad = rng.randint(2, 5), rng.choice(machines)
        spot = rng.randrange(3)
        rest = [m for m in machines if m != self.bad]
        self.pages = [[f"{m}: ok" for m in (rest[3 * i : 3 * i + 3] if i < 5 else rest[15:] + rest[:1])] for i in range(6)]
        self.pages[self.page][spot] = f"{self.bad}: failed"
        self.state = {"restarted": []}
        self.requests = [Request(f"Some machine failed (alarm {rng.randint(100, 999)}). Restart it, only it.", done=lambda s: s["restarted"] == [self.bad])]

    @tool
    def read(self, cursor: str = "") -> dict:
        """A page of the log; without a cursor the first one.

        cursor: from the page before
        """
        index = self.cursors.index(cursor) if cursor else 0
        return {"lines": self.pages[index], "next": self.cursors[index + 1] if index < 5 else None}

    @tool
    def restart(self, machine: str) -> str:
        """Restart a machine."""
        self.state["restarted"].append(machine)
        return "restarted"

    def solution(self):
        reads = [self.call("read"), *(self.call("read", cursor=c) for c in self.cursors[1 : self.page + 1])]
        return [[*reads, self.call("restart", machine=self.bad)]]
