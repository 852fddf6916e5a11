# GOOD: an answer of distinct unit fractions, any right sum
from fractions import Fraction
from openspade_env import Game, as_number


class Egyptian(Game):
    """Write a fraction as a sum of different unit fractions."""

    skill = "mathematical reasoning"
    hint = "Take away the largest unit fraction that fits, again and again."
    max_turns = 1

    def start(self, rng):
        while True:
            low = rng.randint(7, 40)
            self.share = Fraction(rng.randint(3, low - 1), low)
            if self.share.numerator > 2 and len(self._greedy()) <= 5:
                break
        return f"Write {self.share} as different unit fractions: their denominators, separated by commas (1/2 + 1/6 would be 2, 6)."

    def _greedy(self):
        left, made = self.share, []
        while left and len(made) < 9:
            made.append(-(-left.denominator // left.numerator))
            left -= Fraction(1, made[-1])
        return made

    def act(self, action):
        parts = [as_number(part) for part in action.split(",")]
        if None in parts or any(p.denominator > 1 or p < 2 for p in parts):
            return self.lose("Whole denominators of at least 2, please.")
        if len(set(parts)) < len(parts):
            return self.lose("They must differ.")
        return self.win() if sum(Fraction(1, int(p)) for p in parts) == self.share else self.lose("Another sum.")

    def solution(self):
        return [", ".join(map(str, self._greedy()))]
