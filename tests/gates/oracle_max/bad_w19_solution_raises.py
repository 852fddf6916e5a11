from openspade_env import Game, same_answer


class SolutionRaises(Game):
    """The solution looks up what is not there."""

    skill = "mathematical reasoning"
    hint = "Subtract the units first."

    def start(self, rng):
        self.answers = {n: n - 7 for n in range(rng.randint(100, 400), 500)}
        self.number = rng.randint(100, 499)
        return f"{self.number} minus 7?"

    def act(self, action):
        return self.win() if same_answer(action, self.number - 7, kind="number") else self.lose()

    def solution(self):
        return [str(self.answers[self.number])]
