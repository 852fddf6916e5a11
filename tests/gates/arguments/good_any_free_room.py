from openspade_env import Request, ToolError, ToolTask, tool


class AnyFreeRoom(ToolTask):
    """Several rooms are free: any of them is right, others are not."""

    skill = "data retrieval"
    hint = "The list says which rooms are free; take one of those."
    max_turns = 8

    def start(self, rng):
        rooms = rng.sample(range(100, 999), 6)
        self.free = dict(zip(rooms, [True, True, True, False, False, False], strict=True))
        self.guest = rng.choice(["Ann", "Ben", "Cleo", "Dan"])
        self.state = {"taken": {}}
        self.requests = [Request(f"A room for {self.guest}.", done=lambda s: self.guest in s["taken"].values())]

    @tool
    def rooms(self) -> dict:
        """All rooms, and whether they are free."""
        return {str(room): "free" if free else "taken" for room, free in sorted(self.free.items())}

    @tool
    def take(self, room: int, guest: str) -> str:
        """Take a free room for a guest."""
        if not self.free.get(room):
            raise ToolError("that room is not free")
        self.state["taken"][room] = guest
        return "taken"

    def solution(self):
        room = next(room for room, free in self.free.items() if free)
        return [[self.call("rooms"), self.call("take", room=room, guest=self.guest)]]
