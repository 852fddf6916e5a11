from openspade_env import Request, ToolTask, tool


class TellsThePlan(ToolTask):
    """The user recites which tools to call, in order: what is left is copying."""

    skill = "API orchestration"
    hint = "The room's number is needed for everything else."

    def start(self, rng):
        self.guest, self.room = rng.choice(["Ann", "Ben", "Cleo", "Dan"]), str(rng.randint(100, 999))
        self.state = {"key": "", "heated": ""}
        self.requests = [
            Request(
                f"For {self.guest}: first find_room, then heat_room, then give_key.",
                done=lambda s: s["key"] == s["heated"] == self.room,
            )
        ]

    @tool
    def find_room(self, guest: str) -> str:
        """A guest's room."""
        return self.room if guest == self.guest else "none"

    @tool
    def heat_room(self, room: str) -> str:
        """Heat a room."""
        self.state["heated"] = room
        return "warm"

    @tool
    def give_key(self, room: str) -> str:
        """Give out a room's key."""
        self.state["key"] = room
        return "given"

    def solution(self):
        calls = [self.call("heat_room", room=self.room), self.call("give_key", room=self.room)]
        return [[self.call("find_room", guest=self.guest), *calls]]
