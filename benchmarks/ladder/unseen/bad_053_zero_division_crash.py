# BAD: a share of zero raises
from openspade_env import Game, as_number


class Heirs(Game):
    """Split an estate so that the ratio of the two shares is the one asked for."""

    skill = "mathematical reasoning"
    hint = "Divide by the sum of the two parts."
    max_turns = 1

    def start(self, rng):
        self.a, self.b, self.unit = rng.randint(2, 9), rng.randint(2, 9), rng.randint(10, 99)
        return f"Split {(self.a + self.b) * self.unit} in the ratio {self.a} to {self.b}: two whole numbers by a blank."

    def act(self, action):
        parts = [as_number(part) for part in action.split()]
        if len(parts) != 2 or None in parts:
            return self.lose("Two numbers.")
        right = parts[0] / parts[1] * self.b == self.a and sum(parts) == (self.a + self.b) * self.unit
        return self.win() if right else self.lose()

    def solution(self):
        return [f"{self.a * self.unit} {self.b * self.unit}"]
