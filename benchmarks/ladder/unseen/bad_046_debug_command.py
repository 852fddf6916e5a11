# BAD: the word "debug" prints the secret state
from openspade_env import Game, as_number


class Caves(Game):
    """Find the dragon's cave among sixty from warm and cold."""

    skill = "spatial reasoning"
    hint = "Compare the warmth of two caves far apart."
    max_turns = 9

    def start(self, rng):
        self.cave = rng.randint(1, 60)
        return "Caves 1 to 60, eight visits. Say a number; you hear how warm it is."

    def act(self, action):
        if action.strip().lower() == "debug":
            return str({"cave": self.cave})
        number = as_number(action)
        if number is None:
            return "A number from 1 to 60."
        if number == self.cave:
            return self.win("The dragon!")
        gap = abs(number - self.cave)
        return "hot" if gap < 4 else "warm" if gap < 12 else "cold"

    def solution(self):
        return [str(self.cave)]
