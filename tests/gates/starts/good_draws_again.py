from openspade_env import Game, same_answer


class DrawsAgain(Game):
    """Start may draw until the instance is a good one: two numbers that share a divisor."""

    skill = "mathematical reasoning"
    hint = "Take the smaller number away from the larger one until both are equal."
    max_turns = 1

    def start(self, rng):
        self.a = self.b = self.shared = 1
        while self.shared < 11:
            self.a, self.b = (rng.randint(2, 60) * rng.randint(11, 60) for _ in range(2))
            self.shared = next(d for d in range(min(self.a, self.b), 0, -1) if self.a % d == 0 == self.b % d)
        return f"The greatest common divisor of {self.a} and {self.b}?"

    def act(self, action):
        return self.win() if same_answer(action, self.shared, kind="number") else self.lose()

    def solution(self):
        return [str(self.shared)]
