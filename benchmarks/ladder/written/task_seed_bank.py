from openspade_env import Request, ToolError, ToolTask, tool


class SeedBank(ToolTask):
    """Seeds in drawers: a catalogue in pages, and requests that combine several conditions."""

    skill = "data retrieval"
    hint = "Read every page before you choose: more than one seed meets the first condition, only one meets both."
    max_turns = 16

    def start(self, rng):
        plants = rng.sample(["lupin", "teff", "sorrel", "okra", "yarrow", "chard", "millet", "cress", "dill"], 8)
        self.rows = [
            {"plant": p, "year": rng.randint(1990, 2020), "drawer": f"{rng.choice('ABCD')}{n}", "grams": rng.randint(5, 90)}
            for p, n in zip(plants, rng.sample(range(10, 99), 8))
        ]
        self.limit = sorted(r["year"] for r in self.rows)[4]
        late = [r for r in self.rows if r["year"] >= self.limit]
        self.pick = max(late, key=lambda r: (r["grams"], r["plant"]))
        self.low = min(self.rows, key=lambda r: (r["grams"], r["plant"]))
        self.state = {"opened": [], "ordered": []}
        self.requests = [
            Request(
                f"Open the drawer of the seed from {self.limit} or later of which there is most (of equals, the later in the alphabet).",
                done=lambda s: s["opened"] == [self.pick["drawer"]],
            ),
            Request(
                "Order more of what there is least of, fifty grams.", done=lambda s: s["ordered"] == [[self.low["plant"], 50]]
            ),
        ]

    @tool
    def page(self, number: int) -> list:
        """A page of the catalogue, four rows each; 1 and 2."""
        if number not in (1, 2):
            raise ToolError("there are pages 1 and 2")
        return self.rows[4 * number - 4 : 4 * number]

    @tool
    def open_drawer(self, drawer: str) -> str:
        """Open a drawer."""
        if drawer not in [r["drawer"] for r in self.rows]:
            raise ToolError("no such drawer")
        self.state["opened"].append(drawer)
        return "open"

    @tool
    def order(self, plant: str, grams: int) -> str:
        """Order seed."""
        self.state["ordered"].append([plant, grams])
        return "ordered"

    def solution(self):
        return [
            [self.call("page", number=1), self.call("page", number=2), self.call("open_drawer", drawer=self.pick["drawer"])],
            [self.call("order", plant=self.low["plant"], grams=50)],
        ]
