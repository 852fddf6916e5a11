# BAD: the criterion looks up a key that a wrong call removes
from openspade_env import Request, ToolError, ToolTask, tool


class Zoo(ToolTask):
    """A zoo: animals move between enclosures, one each."""

    skill = "planning"
    hint = "Empty the enclosure that is needed before you move."
    max_turns = 10

    def start(self, rng):
        names = rng.sample(["lynx", "otter", "tapir", "ibex"], 3)
        self.state = {"homes": {name: number for name, number in zip(names, rng.sample(range(1, 60), 3))}}
        self.name, self.other, _ = names
        self.to, self.free = self.state["homes"][self.other], rng.randint(61, 99)
        self.requests = [Request(f"Move the {self.name} to enclosure {self.to}; {self.free} is free.", done=lambda s: s["homes"][self.name] == self.to)]

    @tool
    def homes(self) -> dict:
        """Who lives where."""
        return self.state["homes"]

    @tool
    def move(self, animal: str, enclosure: int) -> str:
        """Move an animal; in an enclosure that is taken the weaker one is sent away."""
        if animal not in self.state["homes"]:
            raise ToolError("no such animal")
        if enclosure in self.state["homes"].values():
            del self.state["homes"][animal]
            return "sent away"
        self.state["homes"][animal] = enclosure
        return "moved"

    def solution(self):
        return [[self.call("homes"), self.call("move", animal=self.other, enclosure=self.free), self.call("move", animal=self.name, enclosure=self.to)]]
