from openspade_env import Request, ToolTask, tool


class MetBefore(ToolTask):
    """The second request is met when it is made: the door is closed already."""

    skill = "state modification"
    hint = "Mind which room is meant."

    def start(self, rng):
        self.heat = rng.randint(15, 29)
        self.state = {"heat": 0, "door": "closed"}
        self.requests = [
            Request(f"Heat to {self.heat}.", done=lambda s: s["heat"] == self.heat),
            Request("Close the door.", done=lambda s: s["door"] == "closed"),
        ]

    @tool
    def set_heat(self, degrees: int) -> str:
        """Set the heating."""
        self.state["heat"] = degrees
        return "set"

    @tool
    def close_door(self) -> str:
        """Close the door."""
        self.state["door"] = "closed"
        return "closed"

    def solution(self):
        return [[self.call("set_heat", degrees=self.heat)], [self.call("close_door")]]
