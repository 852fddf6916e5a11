from openspade_env import Request, ToolError, ToolTask, tool


class LostParcel(ToolTask):
    """A parcel went through several depots; follow its trail and send it on."""

    skill = "multi-step workflow"
    hint = "Each depot names the next one; the last depot has no next, and that is where it lies."
    max_turns = 18

    def start(self, rng):
        depots = rng.sample(["Arle", "Brix", "Cove", "Dorn", "Esk", "Fenn", "Glade"], 5)
        self.number = str(rng.randint(10000, 99999))
        length = rng.randint(2, 4)
        self.trail = depots[: length + 1]
        self.next = dict(zip(self.trail, self.trail[1:]))
        self.address = f"{rng.randint(1, 99)} {rng.choice(['Mill', 'Dock', 'Kiln'])} Lane"
        self.state = {"sent": []}
        self.requests = [
            Request(
                f"Where is my parcel {self.number}? It was posted in {self.trail[0]}. Send it on to me from where it lies.",
                answers={"address": self.address},
                done=lambda s: s["sent"] == [[self.trail[-1], self.number, self.address]],
            ),
            Request("And teach it to fly next time.", impossible=True),
        ]

    @tool
    def ask_depot(self, depot: str, number: str) -> str:
        """What a depot knows of a parcel."""
        if number != self.number or depot not in self.trail:
            raise ToolError("we have never seen it")
        return f"sent on to {self.next[depot]}" if depot in self.next else "it lies here"

    @tool
    def forward(self, depot: str, number: str, address: str) -> str:
        """Have a depot send a parcel to an address."""
        if depot != self.trail[-1]:
            raise ToolError("it is not there")
        self.state["sent"].append([depot, number, address])
        return "forwarded"

    def solution(self):
        asks = [self.call("ask_depot", depot=d, number=self.number) for d in self.trail]
        return [
            [*asks, "What is your address?", self.call("forward", depot=self.trail[-1], number=self.number, address=self.address)],
            [self.decline("parcels cannot fly")],
        ]
