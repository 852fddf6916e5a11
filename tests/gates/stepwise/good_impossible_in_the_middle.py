from openspade_env import Request, ToolTask, tool


class ImpossibleInTheMiddle(ToolTask):
    """A wish that no tool can grant stands between two that can be met."""

    skill = "tool selection"
    hint = "Decline what no tool is made for, and go on with the next wish."

    def start(self, rng):
        songs = rng.sample(["Dawn", "Tide", "Ember", "Frost", "Gale", "Haze", "Ivy"], 3)
        self.numbers = {song: rng.randint(100, 999) for song in songs}
        self.first, self.last = songs[0], songs[2]
        self.state = {"playing": None}
        self.requests = [
            Request(f"Play {self.first}.", done=lambda s: s["playing"] == self.numbers[self.first]),
            Request("Make me a cup of tea.", impossible=True),
            Request(f"And now {self.last}.", done=lambda s: s["playing"] == self.numbers[self.last]),
        ]

    @tool
    def find_song(self, title: str) -> int:
        """A song's number."""
        return self.numbers[title]

    @tool
    def play(self, number: int) -> str:
        """Play a song by its number."""
        self.state["playing"] = number
        return "playing"

    def solution(self):
        first, last = (
            [self.call("find_song", title=title), self.call("play", number=self.numbers[title])]
            for title in (self.first, self.last)
        )
        return [first, [self.decline("no tool makes tea")], last]
