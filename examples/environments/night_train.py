from openspade_env import Request, ToolError, ToolTask, tool

CITIES = ["Oslo", "Riga", "Bonn", "Turin", "Lyon", "Graz"]


class NightTrain(ToolTask):
    """A travel agent's terminal: find trains, book seats, and carry a booking's code from one step to the next."""

    skill = "multi-step workflow"
    hint = "Compare all trains before booking; the code that a booking returns is what later steps ask for."

    def start(self, rng):
        self.origin, self.target = rng.sample(CITIES, 2)
        numbers = [f"N{number}" for number in rng.sample(range(100, 1000), 4)]
        trains = {number: {"price": rng.randint(40, 90), "seats": rng.randint(1, 30)} for number in numbers}
        full, self.best = rng.sample(numbers, 2)
        trains[full] = {"price": rng.randint(20, 29), "seats": 0}
        trains[self.best]["price"] = rng.randint(30, 39)
        self.code = f"{rng.choice('KLMN')}{rng.randrange(1000, 10000)}"
        self.state = {"trains": trains, "bookings": {}}
        self.requests = [
            Request(
                f"Book me the cheapest train with a free seat from {self.origin} to {self.target}.",
                done=lambda s: [b["train"] for b in s["bookings"].values()] == [self.best],
            ),
            Request("A window seat, please.", done=lambda s: s["bookings"][self.code]["seat"] == "window"),
            Request("And let my dog travel for free.", impossible=True),
            Request("Then breakfast for two.", done=lambda s: s["bookings"][self.code]["breakfasts"] == 2),
        ]

    @tool
    def find_trains(self, origin: str, target: str) -> dict:
        """Tonight's trains between two cities, with price and free seats."""
        if (origin, target) != (self.origin, self.target):
            raise ToolError("no train runs there tonight")
        return self.state["trains"]

    @tool
    def book(self, train: str) -> dict:
        """Book a seat; returns the booking's code."""
        if not self.state["trains"][train]["seats"]:
            raise ToolError("this train is full")
        code = self.code if not self.state["bookings"] else f"{self.code}-{len(self.state['bookings'])}"
        self.state["bookings"][code] = {"train": train, "seat": "aisle", "breakfasts": 0}
        return {"code": code}

    @tool
    def choose_seat(self, code: str, seat: str) -> str:
        """Choose the seat of a booking: window, aisle or middle."""
        self.state["bookings"][code]["seat"] = seat
        return "chosen"

    @tool
    def add_breakfast(self, code: str, people: int) -> str:
        """Order breakfast for a booking."""
        self.state["bookings"][code]["breakfasts"] = people
        return "ordered"

    def solution(self):
        return [
            [self.call("find_trains", origin=self.origin, target=self.target), self.call("book", train=self.best)],
            [self.call("choose_seat", code=self.code, seat="window")],
            [self.decline("Dogs cannot be booked here.")],
            [self.call("add_breakfast", code=self.code, people=2)],
        ]
