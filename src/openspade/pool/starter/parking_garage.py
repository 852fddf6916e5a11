from openspade_env import Request, ToolError, ToolTask, tool


class ParkingGarage(ToolTask):
    """A garage where cars come and go between two wishes: what was free a minute ago may be taken."""

    skill = "error recovery"
    hint = "A refused place means that somebody was faster: look again before you choose another one."
    max_turns = 12

    def start(self, rng):
        self.places = [f"{level}{rng.randint(10, 99)}" for level in rng.sample("ABCDEFGH", 4)]
        self.near, self.far, taken, later = self.places
        self.plates = [f"{rng.choice('KLMN')}-{rng.randint(1000, 9999)}" for _ in range(2)]
        self.state = {"cars": {taken: "X-1", self.far: "X-2"}, "near": [self.near, later]}
        self.later = later
        self.requests = [
            Request(
                f"Park {self.plates[0]} in the place nearest to the door.",
                done=lambda s: s["cars"].get(self.near) == self.plates[0],
            ),
            Request(
                f"Now {self.plates[1]}, as near to the door as you can.",
                change=lambda s: s["cars"].update({later: s["cars"].pop(self.far)}),
                done=lambda s: s["cars"].get(self.far) == self.plates[1],
            ),
            Request(f"Bring {self.plates[0]} out again.", done=lambda s: self.plates[0] not in s["cars"].values()),
        ]

    @tool
    def free_places(self) -> list:
        """Free places, the nearest to the door first."""
        order = [self.near, self.later, self.far, *self.places]
        return [place for place in dict.fromkeys(order) if place not in self.state["cars"]]

    @tool
    def park(self, plate: str, place: str) -> str:
        """Put a car into a place."""
        if place in self.state["cars"] or place not in self.places:
            raise ToolError("this place cannot be used now")
        self.state["cars"][place] = plate
        return "parked"

    @tool
    def bring_out(self, place: str) -> str:
        """Bring the car out that stands in a place; returns its plate."""
        return self.state["cars"].pop(place)

    def solution(self):
        look = self.call("free_places")
        return [
            [look, self.call("park", plate=self.plates[0], place=self.near)],
            [look, self.call("park", plate=self.plates[1], place=self.far)],
            [self.call("bring_out", place=self.near)],
        ]
