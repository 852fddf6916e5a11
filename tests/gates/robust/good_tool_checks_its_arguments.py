from openspade_env import Request, ToolError, ToolTask, tool


class Depot(ToolTask):
    """Tools that meet any argument with a word: what is wrong, and what would be right."""

    skill = "state modification"
    hint = "Look at the shelf before you take something from it."

    def start(self, rng):
        self.state = {"shelves": {f"S{n}": rng.randint(20, 90) for n in rng.sample(range(10, 99), 3)}, "taken": {}}
        self.shelf = rng.choice(sorted(self.state["shelves"]))
        self.left = self.state["shelves"][self.shelf] - rng.randint(3, 15)
        self.requests = [
            Request(f"Leave {self.left} boxes on {self.shelf}.", done=lambda s: s["shelves"][self.shelf] == self.left)
        ]

    @tool
    def count(self, shelf: str) -> int:
        """Boxes on a shelf."""
        if shelf not in self.state["shelves"]:
            raise ToolError(f"there is no shelf {shelf!r}")
        return self.state["shelves"][shelf]

    @tool
    def take(self, shelf: str, boxes: int) -> str:
        """Take boxes from a shelf."""
        if shelf not in self.state["shelves"]:
            raise ToolError(f"there is no shelf {shelf!r}")
        if not 0 < boxes <= self.state["shelves"][shelf]:
            raise ToolError("so many boxes are not there")
        self.state["shelves"][shelf] -= boxes
        return "taken"

    def solution(self):
        boxes = self.state["shelves"][self.shelf] - self.left
        return [[self.call("count", shelf=self.shelf), self.call("take", shelf=self.shelf, boxes=boxes)]]
