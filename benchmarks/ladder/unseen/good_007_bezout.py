# GOOD: many right answers, every one is taken
from math import gcd
from openspade_env import Game, as_number


class Bezout(Game):
    """Find whole numbers x and y with a times x plus b times y equal to the greatest common divisor of a and b."""

    skill = "mathematical reasoning"
    hint = "Run Euclid's algorithm and go back up through its remainders."
    max_turns = 1

    def start(self, rng):
        self.a, self.b = rng.randint(100, 999), rng.randint(100, 999)
        while self.a % self.b == 0 or self.b % self.a == 0:
            self.b = rng.randint(100, 999)
        return f"a = {self.a}, b = {self.b}. Give x and y, separated by a comma."

    def act(self, action):
        parts = [as_number(part) for part in action.strip().strip("()").split(",")]
        if len(parts) != 2 or None in parts or any(p.denominator > 1 for p in parts):
            return self.lose("Two whole numbers, please.")
        return self.win() if self.a * parts[0] + self.b * parts[1] == gcd(self.a, self.b) else self.lose("That does not give it.")

    def solution(self):
        (r, x, y), (s, u, v) = (self.a, 1, 0), (self.b, 0, 1)
        while s:
            q = r // s
            (r, x, y), (s, u, v) = (s, u, v), (r - q * s, x - q * u, y - q * v)
        return [f"{x}, {y}"]
