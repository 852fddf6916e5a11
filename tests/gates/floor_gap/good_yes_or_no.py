from openspade_env import Game, same_answer


class YesOrNo(Game):
    """Half of the answers are yes: a coin wins every second time, and that is allowed."""

    skill = "mathematical reasoning"
    hint = "Add the digits: the sum is divisible by 9 exactly when the number is."

    def start(self, rng):
        number = rng.randint(100, 999) * 9
        self.answer = rng.choice(["yes", "no"])
        return f"Is {number if self.answer == 'yes' else number + rng.randint(1, 8)} divisible by 9? Say yes or no."

    def act(self, action):
        return self.win() if same_answer(action, self.answer, kind="text") else self.lose()

    def solution(self):
        return [self.answer]
