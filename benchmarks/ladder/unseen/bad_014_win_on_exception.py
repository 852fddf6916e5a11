# BAD: the except branch wins: text that cannot be read as moves solves it
from openspade_env import Game


class Robot(Game):
    """Steer a robot on a grid to the charger with one line of moves."""

    skill = "spatial reasoning"
    hint = "Count columns and rows separately."
    max_turns = 1

    def start(self, rng):
        self.x, self.y = rng.randint(-9, 9), rng.randint(1, 9)
        return f"The charger is at ({self.x}, {self.y}), you at (0, 0). Moves as L R U D in one line."

    def act(self, action):
        at = [0, 0]
        step = {"L": (-1, 0), "R": (1, 0), "U": (0, 1), "D": (0, -1)}
        try:
            for letter in action.strip():
                dx, dy = step[letter]
                at[0] += dx
                at[1] += dy
            if at != [self.x, self.y]:
                return self.lose("Not there.")
        except KeyError:
            pass
        return self.win("Charging.")

    def solution(self):
        return ["LR"[self.x > 0] * abs(self.x) + "U" * self.y]
