# BAD: a step of zero never ends
from openspade_env import Game, as_number


class Frog(Game):
    """Choose a frog's leap so that it lands on exactly three of the lilies."""

    skill = "mathematical reasoning"
    hint = "Look at the differences between lilies."
    max_turns = 6

    def start(self, rng):
        self.leap = rng.randint(7, 30)
        self.lilies = {self.leap * k for k in rng.sample(range(1, 9), 3)} | {self.leap * 4 + 1, self.leap * 7 + 2}
        return f"Lilies at {sorted(self.lilies)}, pond of {self.leap * 9}. A whole leap of 7 to 30 that lands on exactly three?"

    def act(self, action):
        leap = as_number(action)
        if leap is None or leap.denominator > 1 or leap > 30:
            return "A whole number of at most 30."
        at, hit = int(leap), 0
        while at <= self.leap * 9:
            hit += at in self.lilies
            at += int(leap)
        return self.win("Splash, three times.") if hit == 3 else f"{hit} lilies."

    def solution(self):
        return [str(self.leap)]
