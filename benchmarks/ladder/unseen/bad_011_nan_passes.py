# BAD: a comparison that is false for nan lets "nan" win
from openspade_env import Game


class Slope(Game):
    """Give the slope of the straight line through two points."""

    skill = "mathematical reasoning"
    hint = "Divide the difference of heights by the difference of widths."
    max_turns = 1

    def start(self, rng):
        x, y, width, height = rng.randint(-20, 20), rng.randint(-20, 20), rng.randint(1, 30), rng.randint(-90, 90)
        self.slope = height / width
        return f"Points ({x}, {y}) and ({x + width}, {y + height}). Slope, to two places?"

    def act(self, action):
        try:
            given = float(action)
        except ValueError:
            return self.lose("Not a number.")
        if abs(given - self.slope) > 0.01:
            return self.lose("No.")
        return self.win("Yes.")

    def solution(self):
        return [str(self.slope)]
