# GOOD: independent calls whose order is free; the whole tree is compared
from openspade_env import Request, ToolError, ToolTask, tool


class Tree(ToolTask):
    """A folder tree: move files to the folders that a note assigns, and nothing else."""

    skill = "state modification"
    hint = "Read the note, then move each file it names."
    max_turns = 10

    def start(self, rng):
        folders = rng.sample(["tax", "car", "house", "trip", "band"], 3)
        files = [f"{w}{n}" for w, n in zip(rng.sample(["bill", "photo", "letter", "plan", "song"], 4), rng.sample(range(10, 99), 4))]
        self.note = dict(zip(files[:3], [rng.choice(folders) for _ in range(3)]))
        self.state = {"in": {f: "inbox" for f in files}}
        wanted = {**self.state["in"], **self.note}
        self.folders, self.year = folders, rng.randint(1990, 2020)
        self.requests = [Request(f"Sort the inbox of {self.year} as the note says; what it does not name stays.", done=lambda s: s["in"] == wanted)]

    @tool
    def read_note(self) -> dict:
        """Which file belongs where."""
        return self.note

    @tool
    def where(self, file: str) -> str:
        """The folder a file is in."""
        return self.state["in"][file]

    @tool
    def move(self, file: str, folder: str) -> str:
        """Move a file into a folder."""
        if file not in self.state["in"] or folder not in [*self.folders, "inbox"]:
            raise ToolError("no such file or folder")
        self.state["in"][file] = folder
        return "moved"

    def solution(self):
        return [[self.call("read_note"), *(self.call("move", file=f, folder=d) for f, d in self.note.items())]]
