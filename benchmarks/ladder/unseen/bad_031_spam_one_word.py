# BAD: digging at the same spot again and again finds the treasure, wherever it is
from openspade_env import Game, as_number


class Dig(Game):
    """Find a chest buried on a beach of 30 steps by digging and listening."""

    skill = "spatial reasoning"
    hint = "Listen first, then halve the beach."
    max_turns = 20

    def start(self, rng):
        self.chest, self.depth = rng.randint(0, 29), 0
        return f"Beach {rng.randint(100, 999)}, steps 0 to 29. Say listen N (east or west of N?) or dig N."

    def act(self, action):
        word, _, rest = action.strip().partition(" ")
        number = as_number(rest)
        if number is None or word not in ("listen", "dig"):
            return "Say listen N or dig N."
        if word == "listen":
            return "here" if number == self.chest else "east" if number < self.chest else "west"
        self.depth += 1
        if number == self.chest or self.depth >= 8:
            return self.win("You hit wood.")
        return "Sand."

    def solution(self):
        return [f"dig {self.chest}"]
