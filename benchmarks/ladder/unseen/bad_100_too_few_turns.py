# BAD: for far goals the shortest way is longer than the turns allowed
from openspade_env import Game


class Walk(Game):
    """Lead a lost sheep over a grid to its flock, one field a turn."""

    skill = "planning"
    hint = "Do the longer side first."
    max_turns = 16

    def start(self, rng):
        self.x, self.y = rng.randint(2, 9), rng.randint(2, 9)
        return f"The flock stands {self.x} east and {self.y} north. east or north?"

    def act(self, action):
        way = action.strip().lower()
        self.x -= way == "east"
        self.y -= way == "north"
        if self.x < 0 or self.y < 0:
            return self.lose("Over the cliff.")
        return self.win("Baa.") if self.x == self.y == 0 else f"{self.x} east, {self.y} north."

    def solution(self):
        return ["east"] * self.x + ["north"] * self.y
