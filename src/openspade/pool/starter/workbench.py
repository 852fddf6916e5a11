from openspade_env import Request, ToolTask, tool


class Workbench(ToolTask):
    """Saw, drill, glue: the wish names the result, the maker chooses the tool and its measure."""

    skill = "tool selection"
    hint = "Shorter means saw, hollow means drill, joined means glue; the saw wants what is cut off, not what remains."
    max_turns = 10

    def start(self, rng):
        boards = [f"board {letter}" for letter in rng.sample("PQRSTU", 3)]
        self.lengths = {board: rng.randint(60, 200) for board in boards}
        self.a, self.b, self.c = boards
        self.rest, self.width = rng.randint(20, 50), rng.randint(3, 12)
        self.state = {"length": dict(self.lengths), "holes": {}, "joined": []}
        self.requests = [
            Request(
                f"Make {self.a} {self.rest} cm long; it has {self.lengths[self.a]}.",
                done=lambda s: s["length"][self.a] == self.rest,
            ),
            Request(
                f"{self.b} needs a hole for a peg of {self.width} mm.",
                done=lambda s: s["holes"] == {self.b: self.width},
            ),
            Request(
                f"Make one piece of {self.b} and {self.c}.", done=lambda s: s["joined"] == [sorted([self.b, self.c])]
            ),
            Request("Now make it taste of honey.", impossible=True),
        ]

    @tool
    def saw(self, board: str, cm_off: int) -> int:
        """Cut a length off a board; returns what remains."""
        self.state["length"][board] -= cm_off
        return self.state["length"][board]

    @tool
    def drill(self, board: str, mm: int) -> str:
        """Drill a hole of a width."""
        self.state["holes"][board] = mm
        return "drilled"

    @tool
    def glue(self, one: str, other: str) -> str:
        """Glue two boards together."""
        self.state["joined"].append(sorted([one, other]))
        return "glued"

    def solution(self):
        return [
            [self.call("saw", board=self.a, cm_off=self.lengths[self.a] - self.rest)],
            [self.call("drill", board=self.b, mm=self.width)],
            [self.call("glue", one=self.b, other=self.c)],
            [self.decline("Wood does not taste of honey.")],
        ]
