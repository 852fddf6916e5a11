from openspade_env import Request, ToolError, ToolTask, tool


class LabSamples(ToolTask):
    """Samples are registered, measured and archived; the reading decides the shelf."""

    skill = "multi-step workflow"
    hint = (
        "Register first: every later step wants the sample's number. A reading of 50 or more belongs on the red shelf."
    )
    max_turns = 14

    def start(self, rng):
        self.sources = rng.sample(["pond", "well", "river", "spring", "ditch", "bog"], 2)
        self.numbers = rng.sample(range(100, 1000), 2)
        self.readings = [rng.randint(0, 99) for _ in range(2)]
        self.state = {"registered": {}, "shelf": {}}
        self.requests = [
            self.wish(0, "Take in the sample from the {}, measure it, and put it on its shelf."),
            self.wish(1, "The same for the one from the {}."),
        ]

    def wish(self, index, sentence):
        sample, shelf = self.numbers[index], self.shelf(index)
        return Request(sentence.format(self.sources[index]), done=lambda s: s["shelf"].get(sample) == shelf)

    def shelf(self, index):
        return "red" if self.readings[index] >= 50 else "blue"

    def known(self, sample):
        if sample not in self.state["registered"]:
            raise ToolError("there is no such sample")
        return self.state["registered"][sample]

    @tool
    def register(self, source: str) -> dict:
        """Register a sample; returns its number."""
        index = self.sources.index(source)
        self.state["registered"][self.numbers[index]] = index
        return {"sample": self.numbers[index]}

    @tool
    def measure(self, sample: int) -> dict:
        """Reading of a sample, from 0 to 99. Readings of 50 or more are red, lower ones blue."""
        return {"reading": self.readings[self.known(sample)]}

    @tool
    def archive(self, sample: int, shelf: str) -> str:
        """Put a sample on the red or the blue shelf."""
        self.known(sample)
        self.state["shelf"].setdefault(sample, shelf)
        return "archived"

    def solution(self):
        return [
            [
                self.call("register", source=self.sources[i]),
                self.call("measure", sample=self.numbers[i]),
                self.call("archive", sample=self.numbers[i], shelf=self.shelf(i)),
            ]
            for i in range(2)
        ]
