# BAD: seven in ten instances have the answer 0
from openspade_env import Game, same_answer


class Count(Game):
    """Count how often a digit stands in a row of digits."""

    skill = "data retrieval"
    hint = "Go along the row with a finger."
    max_turns = 1

    def start(self, rng):
        row = [rng.randint(1, 9) for _ in range(12)]
        digit = rng.choice([0, 0, 0, 0, 0, 0, 0, rng.randint(1, 9), rng.randint(1, 9), rng.randint(1, 9)])
        self.count = row.count(digit)
        return f"How often does {digit} stand in {' '.join(map(str, row))}?"

    def act(self, action):
        return self.win() if same_answer(action, self.count, kind="number") else self.lose()

    def solution(self):
        return [str(self.count)]
