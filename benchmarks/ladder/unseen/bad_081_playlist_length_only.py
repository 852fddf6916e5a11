# BAD: a list of the right length meets the request whatever is in it
from openspade_env import Request, ToolTask, tool


class Radio(ToolTask):
    """A radio desk: songs are put on air in the order of their length."""

    skill = "planning"
    hint = "Ask for all lengths first."
    max_turns = 8

    def start(self, rng):
        self.songs = dict(zip(rng.sample(["Rain", "Dust", "Ember", "Tide", "Fern", "Quartz"], 4), rng.sample(range(120, 400), 4)))
        self.state = {"air": []}
        self.requests = [Request("Play all songs, shortest first.", done=lambda s: len(s["air"]) == len(self.songs))]

    @tool
    def songs_with_lengths(self) -> dict:
        """All songs with their seconds."""
        return dict(sorted(self.songs.items()))

    @tool
    def put_on_air(self, songs: list[str]) -> str:
        """Set the order of songs."""
        self.state["air"] = songs
        return "on air"

    def solution(self):
        return [[self.call("songs_with_lengths"), self.call("put_on_air", songs=sorted(self.songs, key=self.songs.get))]]
