import time

from openspade_env import Game, same_answer


class Clock(Game):
    """Two numbers and the seconds of the wall clock."""

    skill = "mathematical reasoning"
    hint = "Add from the left."

    def start(self, rng):
        self.sum = rng.randint(100, 999) + int(time.time())
        return f"What is {self.sum - 1} + 1?"

    def act(self, action):
        return self.win() if same_answer(action, self.sum, kind="number") else self.lose()

    def solution(self):
        return [str(self.sum)]
