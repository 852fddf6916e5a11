from openspade_env import Request, ToolTask, tool


class DeclinePays(ToolTask):
    """Nothing that is asked for can be done: who always declines wins."""

    skill = "tool selection"
    hint = "See which tools there are."

    def start(self, rng):
        self.state = {"lamp": "off"}
        self.requests = [Request(f"Fetch me {rng.randint(2, 99)} apples.", impossible=True), Request("And a pear.", impossible=True)]

    @tool
    def switch(self, on: bool) -> str:
        """Switch the lamp."""
        self.state["lamp"] = "on" if on else "off"
        return self.state["lamp"]

    def solution(self):
        return [[self.decline("no apples")], [self.decline("no pears")]]
