from openspade_env import Game, same_answer


class HalfHidden(Game):
    """Add what is shown and what is not."""

    skill = "mathematical reasoning"
    hint = "Add both numbers."
    max_turns = 1

    def start(self, rng):
        self.a, self.b = rng.randint(100, 999), rng.randint(1, 60)
        return f"What is {self.a} plus the number in my pocket?"

    def act(self, action):
        return self.win() if same_answer(action, self.a + self.b, kind="number") else self.lose()

    def solution(self):
        return [str(self.a + self.b)]
