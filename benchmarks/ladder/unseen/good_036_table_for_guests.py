# GOOD: what is missing must be asked for, two things in two questions
from openspade_env import Request, ToolError, ToolTask, tool


class Inn(ToolTask):
    """An inn: reserve a table; the guest leaves out how many come and at what hour."""

    skill = "clarification"
    hint = "Ask for the number of guests and for the hour before you reserve."
    max_turns = 10

    def start(self, rng):
        self.name, self.guests, self.hour = rng.choice(["Weiss", "Aalto", "Duarte", "Mbeki"]), rng.randint(2, 12), rng.randint(12, 22)
        self.day = rng.randint(1, 28)
        self.tables = {t: seats for t, seats in zip(rng.sample(range(1, 30), 4), [2, 4, 8, 12])}
        self.table = next(t for t, seats in self.tables.items() if seats >= self.guests)
        self.state = {"reserved": []}
        self.requests = [
            Request(
                f"A table on the {self.day}th for {self.name}, the smallest that seats us all.",
                answers={"guests": str(self.guests), "hour": str(self.hour)},
                done=lambda s: s["reserved"] == [(self.table, self.day, self.hour, self.name)],
            )
        ]

    @tool
    def tables_with_seats(self) -> dict:
        """Tables with their seats."""
        return {str(t): seats for t, seats in self.tables.items()}

    @tool
    def reserve(self, table: int, day: int, hour: int, name: str) -> str:
        """Reserve a table."""
        if table not in self.tables:
            raise ToolError("no such table")
        self.state["reserved"].append((table, day, hour, name))
        return "reserved"

    def solution(self):
        return [["How many guests will come?", "At what hour?", self.call("tables_with_seats"), self.call("reserve", table=self.table, day=self.day, hour=self.hour, name=self.name)]]
