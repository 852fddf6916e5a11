# GOOD: sums in a foreign base, the answer is written in that base
from openspade_env import Game, same_answer


class Base(Game):
    """Add numbers that are written in base seven; the answer is in base seven too."""

    skill = "mathematical reasoning"
    hint = "Carry at seven instead of ten."
    max_turns = 1

    def start(self, rng):
        self.numbers = [rng.randint(50, 2000) for _ in range(3)]
        return f"In base seven: {' + '.join(map(self._written, self.numbers))} = ?"

    def _written(self, number):
        digits = ""
        while number:
            digits, number = str(number % 7) + digits, number // 7
        return digits or "0"

    def act(self, action):
        return self.win() if same_answer(action, self._written(sum(self.numbers)), kind="exact") else self.lose()

    def solution(self):
        return [self._written(sum(self.numbers))]
