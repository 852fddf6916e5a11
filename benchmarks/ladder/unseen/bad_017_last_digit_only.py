# BAD: only the last digit of the product is compared
from openspade_env import Game, as_number


class Ledger(Game):
    """Multiply three two-digit numbers."""

    skill = "mathematical reasoning"
    hint = "Multiply the two rounder ones first."
    max_turns = 1

    def start(self, rng):
        self.factors = [rng.randint(11, 99) for _ in range(3)]
        self.product = self.factors[0] * self.factors[1] * self.factors[2]
        return f"{self.factors[0]} * {self.factors[1]} * {self.factors[2]} = ?"

    def act(self, action):
        given = as_number(action)
        if given is None or given.denominator > 1:
            return self.lose("A whole number, please.")
        return self.win() if given % 10 == self.product % 10 else self.lose()

    def solution(self):
        return [str(self.product)]
