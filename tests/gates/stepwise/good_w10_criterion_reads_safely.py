from openspade_env import Request, ToolTask, tool


class ReadsSafely(ToolTask):
    """The second criterion asks for what its own tool will write, and says "not yet" until then."""

    skill = "state modification"
    hint = "The mark of the barrel tells its colour."

    def start(self, rng):
        marks = rng.sample(range(100, 999), 3)
        self.barrels = {str(mark): colour for mark, colour in zip(marks, ["red", "blue", "green"], strict=True)}
        self.level, self.mark = rng.randint(10, 99), str(rng.choice(marks))
        self.state = {"level": 0}
        self.requests = [
            Request(f"Fill barrel {self.mark} to {self.level}.", done=lambda s: s["level"] == self.level),
            Request("Paint it as its mark says.", done=lambda s: s.get("colour") == self.barrels[self.mark]),
        ]

    @tool
    def fill(self, level: int) -> str:
        """Fill the barrel to a level."""
        self.state["level"] = level
        return "filled"

    @tool
    def read_mark(self, mark: str) -> str:
        """The colour that a mark stands for."""
        return self.barrels[mark]

    @tool
    def paint(self, colour: str) -> str:
        """Paint the barrel."""
        self.state["colour"] = colour
        return "painted"

    def solution(self):
        paint = self.call("paint", colour=self.barrels[self.mark])
        return [[self.call("fill", level=self.level)], [self.call("read_mark", mark=self.mark), paint]]
