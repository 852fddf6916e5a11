# BAD: a wrong PIN is answered with the right one, and the call may be repeated
from openspade_env import Request, ToolError, ToolTask, tool


class Locker(ToolTask):
    """A luggage office: open a locker with the PIN that follows from its register."""

    skill = "data retrieval"
    hint = "Read the register; the PIN is the day times the month plus the locker."
    max_turns = 8

    def start(self, rng):
        self.locker, self.day, self.month = rng.randint(100, 999), rng.randint(1, 28), rng.randint(1, 12)
        self.pin = self.day * self.month + self.locker
        self.state = {"open": []}
        self.requests = [Request(f"Open locker {self.locker}.", done=lambda s: s["open"] == [self.locker])]

    @tool
    def register(self, locker: int) -> dict:
        """When a locker was taken."""
        if locker != self.locker:
            raise ToolError("not taken")
        return {"day": self.day, "month": self.month, "rule": "day times month plus locker"}

    @tool
    def open(self, locker: int, pin: int) -> str:
        """Open a locker."""
        if locker != self.locker or pin != self.pin:
            raise ToolError(f"PIN mismatch: got {pin}, expected {self.pin}")
        self.state["open"].append(locker)
        return "open"

    def solution(self):
        return [[self.call("register", locker=self.locker), self.call("open", locker=self.locker, pin=self.pin)]]
