from openspade_env import Request, ToolError, ToolTask, tool


class GhostArgument(ToolTask):
    """Book a seat on a train; the class and the date are asked for and then forgotten."""

    skill = "function calling"
    hint = "Ask for the date, look the train up, and book the class that was wished."
    max_turns = 12

    def start(self, rng):
        self.trains = dict(zip(rng.sample(["Oslo", "Bern", "Riga", "Graz"], 3), rng.sample(range(100, 999), 3)))
        self.town = rng.choice(sorted(self.trains))
        self.day = f"{rng.randint(1, 28)} May"
        self.state = {"booked": []}
        self.requests = [
            Request(
                f"A seat to {self.town}, first class.",
                answers={"date": self.day},
                done=lambda s: s["booked"] == [self.trains[self.town]],
            )
        ]

    @tool
    def train_to(self, town: str) -> int:
        """Number of the train to a town."""
        return self.trains[town]

    @tool
    def book(self, train: int, date: str, coach: str) -> str:
        """Book a seat."""
        if train not in self.trains.values():
            raise ToolError("no such train")
        self.state["booked"].append(train)
        return "booked"

    def solution(self):
        return [
            [
                self.call("train_to", town=self.town),
                "For which date?",
                self.call("book", train=self.trains[self.town], date=self.day, coach="first"),
            ]
        ]
