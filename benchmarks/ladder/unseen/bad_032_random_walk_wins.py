# BAD: four rooms and forty turns: walking at random arrives nearly always
from openspade_env import Game


class Cellar(Game):
    """Walk through dark rooms to the exit."""

    skill = "spatial reasoning"
    hint = "Draw a map of where each door led."
    max_turns = 40

    def start(self, rng):
        self.doors = {r: {w: rng.randrange(4) for w in ("left", "right")} for r in range(4)}
        self.at, self.exit = 0, rng.randint(1, 3)
        self.doors[0][rng.choice(["left", "right"])] = self.exit
        self.way = next(w for w in ("left", "right") if self.doors[0][w] == self.exit)
        return f"Cellar {rng.randint(100, 999)}. Say left or right."

    def act(self, action):
        way = action.strip().lower()
        if way not in ("left", "right"):
            return "left or right?"
        self.at = self.doors[self.at][way]
        return self.win("Daylight.") if self.at == self.exit else f"Room {self.at}. left or right?"

    def solution(self):
        return [self.way]
