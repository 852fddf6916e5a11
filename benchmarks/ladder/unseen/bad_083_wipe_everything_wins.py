# BAD: only that the one old file is gone is checked; deleting everything wins as well
from openspade_env import Request, ToolTask, tool


class Disk(ToolTask):
    """A server whose disk is full: one file may go, the others are needed."""

    skill = "state modification"
    hint = "Compare the dates before you delete."
    max_turns = 8

    def start(self, rng):
        self.dates = dict(zip([f"log{n}.txt" for n in rng.sample(range(10, 99), 5)], rng.sample(range(2001, 2024), 5)))
        self.oldest = min(self.dates, key=self.dates.get)
        self.state = {"files": sorted(self.dates)}
        self.requests = [Request("Delete the oldest file and nothing else.", done=lambda s: self.oldest not in s["files"])]

    @tool
    def list_files(self) -> dict:
        """Files with the years they are from."""
        return {name: self.dates[name] for name in self.state["files"]}

    @tool
    def delete(self, names: list[str]) -> str:
        """Delete files."""
        self.state["files"] = [name for name in self.state["files"] if name not in names]
        return f"{len(self.state['files'])} files left"

    def solution(self):
        return [[self.call("list_files"), self.call("delete", names=[self.oldest])]]
