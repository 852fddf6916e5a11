# BAD: many answers meet the request, only the one that was planted counts
from openspade_env import Game, same_answer


class Twins(Game):
    """Find two numbers with a given sum, both between limits."""

    skill = "mathematical reasoning"
    hint = "Fix one and subtract."
    max_turns = 1

    def start(self, rng):
        self.a, self.b = rng.randint(100, 900), rng.randint(100, 900)
        return f"Two whole numbers between 100 and 900 with the sum {self.a + self.b}. Answer: a, b."

    def act(self, action):
        return self.win() if same_answer(action, [self.a, self.b], kind="list") else self.lose()

    def solution(self):
        return [f"{self.a}, {self.b}"]
