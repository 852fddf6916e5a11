from openspade_env import Request, ToolError, ToolTask, tool

WORKS = ["Blue Heron", "The Weir", "Old Quay", "Night Ferry", "Three Poplars", "Salt Road"]


class MuseumLoan(ToolTask):
    """Pictures are lent to other houses: each has a value, a crate and a state, and a loan needs all three."""

    skill = "multi-step workflow"
    hint = "Look a picture up for its value, find a crate of its size, and insure before it leaves."
    max_turns = 16

    def start(self, rng):
        names = rng.sample(WORKS, 4)
        self.works = {n: {"value": rng.randint(11, 99) * 1000, "size": s} for n, s in zip(names, rng.sample("SMLX", 4))}
        self.crates = {f"K{rng.randint(100, 999)}{s}": s for s in "SMLX"}
        self.one, self.two = names[:2]
        self.state = {"insured": {}, "packed": {}, "sent": []}
        self.requests = [
            Request(
                f"Insure '{self.one}' at its value.",
                done=lambda s: s["insured"] == {self.one: self.works[self.one]["value"]},
            ),
            Request(
                "Now pack it into a crate that fits.",
                done=lambda s: self.crates.get(s["packed"].get(self.one)) == self.works[self.one]["size"],
            ),
            Request(
                "Send it off.",
                answers={"town": rng.choice(["Lyon", "Turin", "Ghent"])},
                done=lambda s: s["sent"] == [[self.one, self.requests[2].answers["town"]]],
            ),
        ]

    @tool
    def look_up(self, title: str) -> dict:
        """Value and size of a picture."""
        return dict(self.works[title])

    @tool
    def crates_in_store(self) -> dict:
        """Crates by number, with their sizes."""
        return dict(self.crates)

    @tool
    def insure(self, title: str, value: int) -> str:
        """Insure a picture."""
        if title not in self.works:
            raise ToolError("no such picture")
        self.state["insured"][title] = value
        return "insured"

    @tool
    def pack(self, title: str, crate: str) -> str:
        """Put a picture into a crate; it must be of the same size."""
        if self.crates[crate] != self.works[title]["size"]:
            raise ToolError("it does not fit")
        self.state["packed"][title] = crate
        return "packed"

    @tool
    def send(self, title: str, town: str) -> str:
        """Send a packed picture to a town."""
        if title not in self.state["packed"]:
            raise ToolError("it is not packed")
        self.state["sent"].append([title, town])
        return "on its way"

    def solution(self):
        crate = next(c for c, s in self.crates.items() if s == self.works[self.one]["size"])
        return [
            [self.call("look_up", title=self.one), self.call("insure", title=self.one, value=self.works[self.one]["value"])],
            [self.call("crates_in_store"), self.call("pack", title=self.one, crate=crate)],
            ["To which town?", self.call("send", title=self.one, town=self.requests[2].answers["town"])],
        ]
