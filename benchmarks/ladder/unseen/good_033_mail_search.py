# GOOD: reads that may be repeated or reordered without harm, then one exact action
from openspade_env import Request, ToolError, ToolTask, tool


class Mailbox(ToolTask):
    """A mailbox: find the mail with the latest offer for a part and forward it to the buyer in charge."""

    skill = "data retrieval"
    hint = "Search by part, compare the dates, then look up who buys that part."
    max_turns = 10

    def start(self, rng):
        parts = rng.sample(["gasket", "bearing", "flange", "spindle"], 3)
        days = rng.sample(range(1, 29), 7)
        self.mails = {f"m{n}": {"part": rng.choice(parts), "day": d, "price": rng.randint(10, 99)} for n, d in zip(rng.sample(range(100, 999), 7), days)}
        self.part = next(iter(self.mails.values()))["part"]
        self.buyers = dict(zip(parts, rng.sample(["hr.olsen", "fr.kaya", "hr.brandt", "fr.moser"], 3)))
        fitting = [m for m, v in self.mails.items() if v["part"] == self.part]
        self.latest = max(fitting, key=lambda m: self.mails[m]["day"])
        self.state = {"forwarded": []}
        self.requests = [Request(f"Forward the latest offer for a {self.part} to whoever buys it.", done=lambda s: s["forwarded"] == [(self.latest, self.buyers[self.part])])]

    @tool
    def search(self, part: str) -> dict:
        """Mails about a part."""
        return {m: v for m, v in self.mails.items() if v["part"] == part}

    @tool
    def buyer(self, part: str) -> str:
        """Who buys a part."""
        return self.buyers[part]

    @tool
    def forward(self, mail: str, to: str) -> str:
        """Forward a mail."""
        if mail not in self.mails:
            raise ToolError("no such mail")
        self.state["forwarded"].append((mail, to))
        return "forwarded"

    def solution(self):
        return [[self.call("search", part=self.part), self.call("buyer", part=self.part), self.call("forward", mail=self.latest, to=self.buyers[self.part])]]
