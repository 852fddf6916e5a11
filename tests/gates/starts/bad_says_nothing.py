from openspade_env import Game, same_answer


class SaysNothing(Game):
    """An observation without a word."""

    skill = "mathematical reasoning"
    hint = "Guess."

    def start(self, rng):
        self.number = rng.randint(100, 999)
        return ""

    def act(self, action):
        return self.win() if same_answer(action, self.number, kind="number") else self.lose()

    def solution(self):
        return [str(self.number)]
