from openspade_env import Game, same_answer


class MajoritySaysYes(Game):
    """Four of five answers are yes."""

    skill = "mathematical reasoning"
    hint = "Add the digits: the sum tells."

    def start(self, rng):
        self.answer = "yes" if rng.random() < 0.8 else "no"
        number = rng.randint(100, 999) * 9
        return f"Is {number if self.answer == 'yes' else number + rng.randint(1, 8)} divisible by 9? yes or no"

    def act(self, action):
        return self.win() if same_answer(action, self.answer, kind="text") else self.lose()

    def solution(self):
        return [self.answer]
