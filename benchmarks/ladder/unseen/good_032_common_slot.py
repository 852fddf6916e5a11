# GOOD: several right answers: any hour at which all are free is taken
from openspade_env import Request, ToolError, ToolTask, tool


class Diary(ToolTask):
    """A diary: put a meeting into an hour at which three people are free."""

    skill = "constraint satisfaction"
    hint = "Ask for all three diaries and look for hours that none of them has taken."
    max_turns = 8

    def start(self, rng):
        self.people = rng.sample(["Noor", "Piet", "Quentin", "Rosa", "Sven"], 3)
        hours = list(range(8, 32))
        rng.shuffle(hours)
        self.free = hours[:2]
        self.busy = {p: [] for p in self.people}
        for index, hour in enumerate(hours[2:]):
            for p in {self.people[index % 3], rng.choice(self.people)} if index % 2 else [self.people[index % 3]]:
                self.busy[p].append(hour)
        self.state = {"meetings": []}
        self.requests = [Request(f"A meeting for {', '.join(self.people)}, at any hour from 8 to 31 (8 to 31 run over two days).", done=lambda s: len(s["meetings"]) == 1 and s["meetings"][0] in self.free)]

    @tool
    def taken_hours(self, person: str) -> list:
        """Hours at which a person is not free."""
        return sorted(self.busy[person])

    @tool
    def book(self, hour: int) -> str:
        """Book the meeting; it cannot be moved later."""
        if not 8 <= hour <= 31:
            raise ToolError("hours run from 8 to 31")
        self.state["meetings"].append(hour)
        return "booked"

    def solution(self):
        return [[*(self.call("taken_hours", person=p) for p in self.people), self.call("book", hour=min(self.free))]]
