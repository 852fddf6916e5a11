import random

from openspade_env import Game, same_answer


class GlobalRandom(Game):
    """Draws from the generator that everybody shares."""

    skill = "mathematical reasoning"
    hint = "Double the first half, then the second."

    def start(self, rng):
        self.number = random.randint(100, 999)
        return f"Twice {self.number}?"

    def act(self, action):
        return self.win() if same_answer(action, 2 * self.number, kind="number") else self.lose()

    def solution(self):
        return [str(2 * self.number)]
