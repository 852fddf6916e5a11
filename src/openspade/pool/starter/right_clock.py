from openspade_env import Request, ToolTask, tool


class RightClock(ToolTask):
    """Timer, alarm, reminder: three clocks that ring, for three kinds of wishes."""

    skill = "tool selection"
    hint = "A span of time wants the timer, a time of day the alarm, an event the reminder."
    max_turns = 8

    def start(self, rng):
        self.minutes, self.hour, self.minute = rng.randint(3, 58), rng.randint(5, 22), rng.randint(10, 59)
        self.event = rng.choice(
            ["the rain stops", "Bo calls", "the bread is done", "the train arrives", "the sun sets"]
        )
        self.word = rng.choice(["eggs", "laundry", "stretching", "watering", "keys"])
        self.state = {"rings": []}
        time = f"{self.hour}:{self.minute}"
        rings = [["timer", self.minutes], ["alarm", time], ["reminder", self.event, self.word]]
        wishes = [
            (f"Ring when {self.minutes} minutes have gone.", rings[0]),
            (f"Wake me at {time}.", rings[1]),
            (f"When {self.event}, tell me: {self.word}.", rings[2]),
        ]
        rng.shuffle(wishes)
        self.order = [ring for _, ring in wishes]
        self.requests = [self.wish(text, ring) for text, ring in wishes] + [
            Request("And stop time for a while.", impossible=True)
        ]

    def wish(self, text, ring):
        return Request(text, done=lambda s: s["rings"][-1:] == [ring])

    @tool
    def set_timer(self, minutes: int) -> str:
        """Ring after a span of time."""
        self.state["rings"].append(["timer", minutes])
        return "set"

    @tool
    def set_alarm(self, time: str) -> str:
        """Ring at a time of day, such as 6:45."""
        self.state["rings"].append(["alarm", time])
        return "set"

    @tool
    def set_reminder(self, event: str, words: str) -> str:
        """Say something when an event happens."""
        self.state["rings"].append(["reminder", event, words])
        return "set"

    def solution(self):
        time = f"{self.hour}:{self.minute}"
        calls = {
            "timer": self.call("set_timer", minutes=self.minutes),
            "alarm": self.call("set_alarm", time=time),
            "reminder": self.call("set_reminder", event=self.event, words=self.word),
        }
        return [*([calls[ring[0]]] for ring in self.order), [self.decline("Time cannot be stopped.")]]
