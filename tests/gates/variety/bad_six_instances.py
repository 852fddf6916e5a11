from openspade_env import Game, same_answer


class SixInstances(Game):
    """A question for every side of a die."""

    skill = "mathematical reasoning"
    hint = "Multiply step by step."

    def start(self, rng):
        self.side = rng.randint(1, 6)
        return f"{self.side} to the power of {self.side}?"

    def act(self, action):
        return self.win() if same_answer(action, self.side**self.side, kind="number") else self.lose()

    def solution(self):
        return [str(self.side**self.side)]
