# GOOD: the order of the pours matters and is compared
from openspade_env import Request, ToolError, ToolTask, tool


class Paint(ToolTask):
    """A paint shop: mix a colour by pouring pigments in the order of its recipe."""

    skill = "instruction following"
    hint = "The recipe lists pigments from the last to the first; pour from the first on."
    max_turns = 10

    def start(self, rng):
        self.colour = rng.choice(["teal", "plum", "ochre", "coral"])
        self.recipe = {c: rng.sample(["blue", "red", "white", "black", "yellow"], 4) for c in ("teal", "plum", "ochre", "coral")}
        self.can = rng.randint(100, 999)
        self.state = {"poured": []}
        self.requests = [Request(f"Can {self.can}: {self.colour}, please.", done=lambda s: s["poured"] == [(self.can, p) for p in reversed(self.recipe[self.colour])])]

    @tool
    def recipe_of(self, colour: str) -> list:
        """Pigments of a colour, the last one first."""
        return self.recipe[colour]

    @tool
    def pour(self, can: int, pigment: str) -> str:
        """Pour a pigment into a can."""
        if pigment not in ("blue", "red", "white", "black", "yellow"):
            raise ToolError("no such pigment")
        self.state["poured"].append((can, pigment))
        return "poured"

    def solution(self):
        return [[self.call("recipe_of", colour=self.colour), *(self.call("pour", can=self.can, pigment=p) for p in reversed(self.recipe[self.colour]))]]
