# BAD: the new address needs to have the right fields, their values are not looked at
from openspade_env import Request, ToolTask, tool


class Moving(ToolTask):
    """A register of members: somebody has moved and says where to."""

    skill = "state modification"
    hint = "Find the member's number first, then write the whole address."
    max_turns = 8

    def start(self, rng):
        self.numbers = dict(zip(rng.sample(["Ito", "Okoro", "Silva", "Novak"], 4), map(str, rng.sample(range(1000, 9999), 4))))
        self.name = sorted(self.numbers)[rng.randrange(4)]
        self.new = {"street": rng.choice(["Elm", "Oak", "Ash"]) + f" Street {rng.randint(1, 99)}", "town": rng.choice(["Hull", "Leith", "Truro"])}
        self.state = {"addresses": {}}
        self.requests = [
            Request(
                f"{self.name} here. I live in {self.new['street']}, {self.new['town']} now.",
                done=lambda s: set(s["addresses"].get(self.numbers[self.name], {})) == {"street", "town"},
            )
        ]

    @tool
    def member(self, name: str) -> str:
        """A member's number."""
        return self.numbers[name]

    @tool
    def write_address(self, number: str, address: dict[str, str]) -> str:
        """Write a member's address: street and town."""
        self.state["addresses"][number] = address
        return "written"

    def solution(self):
        return [[self.call("member", name=self.name), self.call("write_address", number=self.numbers[self.name], address=self.new)]]
