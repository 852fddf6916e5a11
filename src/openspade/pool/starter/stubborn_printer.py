from openspade_env import Request, ToolError, ToolTask, tool


class StubbornPrinter(ToolTask):
    """A printer that jams, and a paper tray that is empty: read what it says before you try again."""

    skill = "error recovery"
    hint = "Each complaint names its cure: a jam wants the lid opened, an empty tray wants paper of the right size."
    max_turns = 14

    def start(self, rng):
        self.file = f"{rng.choice(['letter', 'poster', 'ticket'])}{rng.randint(100, 999)}.pdf"
        self.copies, self.size = rng.randint(2, 40), rng.choice(["A3", "A4", "A5"])
        self.state = {"jam": True, "tray": "", "printed": []}
        self.requests = [
            Request(
                f"Print {self.copies} copies of {self.file}.", done=lambda s: s["printed"] == [[self.file, self.copies]]
            ),
            Request("Leave the tray empty for the night.", done=lambda s: s["tray"] == ""),
        ]

    @tool
    def print_file(self, file: str, copies: int) -> str:
        """Print copies of a file."""
        if file != self.file:
            raise ToolError("no such file")
        if self.state["jam"]:
            raise ToolError("paper jam: open the lid")
        if self.state["tray"] != self.size:
            raise ToolError(f"the tray has no paper of size {self.size}")
        self.state["printed"].append([file, copies])
        return "printed"

    @tool
    def open_lid(self) -> str:
        """Open the lid and take out stuck paper."""
        self.state["jam"] = False
        return "free"

    @tool
    def fill_tray(self, size: str) -> str:
        """Put paper of a size into the tray; an empty text empties it."""
        self.state["tray"] = size
        return "done"

    def solution(self):
        print_it = self.call("print_file", file=self.file, copies=self.copies)
        return [
            [self.call("open_lid"), print_it, self.call("fill_tray", size=self.size), print_it],
            [self.call("fill_tray", size="")],
        ]
