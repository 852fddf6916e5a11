from openspade_env import Request, ToolError, ToolTask, tool


class HotelDesk(ToolTask):
    """Check-in, key, breakfast: a guest's evening at a hotel's desk."""

    skill = "multi-step workflow"
    hint = "The booking names the room type, the room list what is free; a key is cut for a room, not for a guest."
    max_turns = 14

    def start(self, rng):
        self.guest = rng.choice(["Ann Bauer", "Bo Lind", "Cleo Marsh", "Dev Rao", "Eva Novak"])
        rooms = rng.sample(range(101, 400), 4)
        self.kind = rng.choice(["single", "double"])
        other = "double" if self.kind == "single" else "single"
        self.rooms = {
            rooms[0]: [self.kind, "free"],
            rooms[1]: [self.kind, "taken"],
            rooms[2]: [other, "free"],
            rooms[3]: [other, "taken"],
        }
        self.room, self.hour = rooms[0], rng.randint(6, 10)
        self.state = {"guests": {}, "keys": [], "calls": {}}
        self.requests = [
            Request(
                f"Good evening, {self.guest}. I have booked.", done=lambda s: s["guests"] == {self.room: self.guest}
            ),
            Request("May I have the key?", done=lambda s: s["keys"] == [self.room]),
            Request(
                "Please wake me tomorrow.",
                answers={"time": f"at {self.hour} o'clock"},
                done=lambda s: s["calls"] == {self.room: self.hour},
            ),
        ]

    @tool
    def find_booking(self, guest: str) -> dict:
        """What a guest has booked."""
        if guest != self.guest:
            raise ToolError("nothing is booked for this guest")
        return {"room type": self.kind, "nights": 1}

    @tool
    def list_rooms(self) -> dict:
        """All rooms by number, with type and whether they are free."""
        return {str(number): " ".join(facts) for number, facts in sorted(self.rooms.items())}

    @tool
    def check_in(self, guest: str, room: int) -> str:
        """Give a guest a free room."""
        if self.rooms[room][1] == "taken":
            raise ToolError("this room is taken")
        self.state["guests"][room] = guest
        return "checked in"

    @tool
    def cut_key(self, room: int) -> str:
        """Cut a key for a room."""
        self.state["keys"].append(room)
        return "cut"

    @tool
    def wake_up_call(self, room: int, hour: int) -> str:
        """Call a room in the morning."""
        self.state["calls"][room] = hour
        return "noted"

    def solution(self):
        return [
            [
                self.call("find_booking", guest=self.guest),
                self.call("list_rooms"),
                self.call("check_in", guest=self.guest, room=self.room),
            ],
            [self.call("cut_key", room=self.room)],
            ["At what time?", self.call("wake_up_call", room=self.room, hour=self.hour)],
        ]
