# BAD: for an unknown club a tool returns a set, which is no JSON
from openspade_env import Request, ToolTask, tool


class Clubs(ToolTask):
    """A town's clubs: find the member of two clubs and invite that person."""

    skill = "data retrieval"
    hint = "Compare the two member lists."
    max_turns = 8

    def start(self, rng):
        names = rng.sample(["Ada", "Bob", "Cy", "Di", "Ed", "Fay", "Gil", "Hal", "Ira"], 9)
        self.both = names[0]
        self.members = {"chess": sorted(names[:4]), "rowing": sorted([names[0], *names[4:7]])}
        self.state = {"invited": []}
        self.requests = [Request(f"Event {rng.randint(100, 999)}: invite whoever is in both chess and rowing.", done=lambda s: s["invited"] == [self.both])]

    @tool
    def members_of(self, club: str):
        """Members of a club."""
        return self.members.get(club, set())

    @tool
    def invite(self, name: str) -> str:
        """Invite somebody."""
        self.state["invited"].append(name)
        return "invited"

    def solution(self):
        return [[self.call("members_of", club="chess"), self.call("members_of", club="rowing"), self.call("invite", name=self.both)]]
