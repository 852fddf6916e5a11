from openspade_env import Request, ToolError, ToolTask, tool

NAMES = ["Amos Reed", "Bela Kiss", "Cora Lane", "Dina Moss", "Egon Vogt"]


class NightClinic(ToolTask):
    """A clinic at night: beds, doses by weight, and a pager that fails now and then."""

    skill = "error recovery"
    hint = "A dose is milligrams a kilogram times the weight; when the pager is silent, page once more."
    max_turns = 16

    def start(self, rng):
        people = rng.sample(NAMES, 3)
        self.weight = {p: rng.randint(41, 99) for p in people}
        self.rate = rng.randint(2, 7)
        self.bed = {p: rng.randint(1, 40) for p in people}
        self.who = people[0]
        self.state = {"given": {}, "paged": []}
        self.requests = [
            Request(
                f"Give {self.who} the usual dose.",
                done=lambda s: s["given"] == {self.who: self.rate * self.weight[self.who]},
            ),
            Request("Page the doctor to that bed.", done=lambda s: s["paged"] == [self.bed[self.who]]),
            Request("And cancel tomorrow's snow.", impossible=True),
        ]

    @tool
    def chart(self, patient: str) -> dict:
        """Bed and weight in kilograms."""
        return {"bed": self.bed[patient], "weight": self.weight[patient]}

    @tool
    def leaflet(self) -> str:
        """What the medicine's leaflet says."""
        return f"{self.rate} mg for each kilogram of weight"

    @tool
    def give(self, patient: str, milligrams: int) -> str:
        """Give a dose."""
        if patient not in self.weight:
            raise ToolError("no such patient")
        self.state["given"][patient] = milligrams
        return "given"

    @tool
    def page(self, bed: int) -> str:
        """Page the doctor to a bed."""
        self.fail_once("no answer")
        self.state["paged"].append(bed)
        return "the doctor comes"

    def solution(self):
        page = self.call("page", bed=self.bed[self.who])
        return [
            [
                self.call("chart", patient=self.who),
                self.call("leaflet"),
                self.call("give", patient=self.who, milligrams=self.rate * self.weight[self.who]),
            ],
            [page, page],
            [self.decline("snow cannot be cancelled")],
        ]
