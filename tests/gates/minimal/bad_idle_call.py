from openspade_env import Request, ToolTask, tool


class IdleCall(ToolTask):
    """The request asks for two things, the criterion looks at one."""

    skill = "multi-step workflow"
    hint = "Unlock before you open."

    def start(self, rng):
        self.box = f"box {rng.randint(100, 999)}"
        self.state = {"opened": "", "locked": True}
        self.requests = [Request(f"Unlock {self.box} and open it.", done=lambda s: s["opened"] == self.box)]

    @tool
    def unlock(self, box: str) -> str:
        """Unlock a box."""
        self.state["locked"] = False
        return "unlocked"

    @tool
    def open_box(self, box: str) -> str:
        """Open a box."""
        self.state["opened"] = box
        return "opened"

    def solution(self):
        return [[self.call("unlock", box=self.box), self.call("open_box", box=self.box)]]
