from openspade_env import Request, ToolTask, tool


class MovingMeetings(ToolTask):
    """A calendar with rooms: move a meeting, cancel another, and mind who is not said."""

    skill = "state modification"
    hint = "Meetings are changed by number: list the day first. When a time is missing, ask for it."
    max_turns = 12

    def start(self, rng):
        topics = rng.sample(["budget", "design", "hiring", "roadmap", "safety", "travel"], 4)
        numbers = rng.sample(range(100, 1000), 4)
        hours = rng.sample(range(8, 18), 4)
        self.state = {f"T{numbers[i]}": {"topic": topic, "hour": hours[i]} for i, topic in enumerate(topics)}
        self.moved, self.dropped, self.vague = rng.sample(sorted(self.state), 3)
        self.hour, self.later = rng.sample([hour for hour in range(8, 18) if hour not in hours], 2)
        self.requests = [
            Request(
                f"Move {self.topic(self.moved)} to {self.hour} o'clock.",
                done=lambda s: s[self.moved]["hour"] == self.hour,
            ),
            Request(f"Cancel {self.topic(self.dropped)}.", done=lambda s: self.dropped not in s and len(s) == 3),
            Request(
                f"Move {self.topic(self.vague)} too.",
                answers={"what time": f"{self.later} o'clock"},
                done=lambda s: s[self.vague]["hour"] == self.later,
            ),
        ]

    def topic(self, number):
        return self.state[number]["topic"]

    @tool
    def list_meetings(self) -> dict:
        """Today's meetings by number."""
        return self.state

    @tool
    def move(self, number: str, hour: int) -> str:
        """Move a meeting to an hour."""
        self.state[number]["hour"] = hour
        return "moved"

    @tool
    def cancel(self, number: str) -> str:
        """Cancel a meeting."""
        del self.state[number]
        return "cancelled"

    def solution(self):
        return [
            [self.call("list_meetings"), self.call("move", number=self.moved, hour=self.hour)],
            [self.call("cancel", number=self.dropped)],
            ["At what time?", self.call("move", number=self.vague, hour=self.later)],
        ]
