# BAD: in a third of the instances the wanted state holds from the start, so any call meets it
from openspade_env import Request, ToolError, ToolTask, tool


class Lights(ToolTask):
    """A house with dimmers: bring a room to the brightness asked for."""

    skill = "state modification"
    hint = "Look at the room before you turn."
    max_turns = 6

    def start(self, rng):
        self.rooms = {room: rng.choice([20, 50, 80]) for room in ("hall", "kitchen", "attic", "bath")}
        self.room, self.level = rng.choice(sorted(self.rooms)), rng.choice([20, 50, 80])
        self.tag = rng.randint(100, 999)
        self.state = dict(self.rooms)
        self.requests = [Request(f"House {self.tag}: the {self.room} to {self.level} percent, please.", done=lambda s: s == {**self.rooms, self.room: self.level})]

    @tool
    def look(self, room: str) -> int:
        """A room's brightness in percent."""
        return self.state[room]

    @tool
    def dim(self, room: str, percent: int) -> str:
        """Set a room's brightness."""
        if room not in self.state:
            raise ToolError(f"no room {room!r}")
        self.state[room] = percent
        return "set"

    def solution(self):
        return [[self.call("dim", room=self.room, percent=self.level)]]
