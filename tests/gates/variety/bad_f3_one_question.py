from openspade_env import Game, same_answer


class OneQuestion(Game):
    """The same question for everybody."""

    skill = "mathematical reasoning"
    hint = "Divide by 7 first."

    def start(self, rng):
        return "What is 91 times 11?"

    def act(self, action):
        return self.win() if same_answer(action, 1001, kind="number") else self.lose()

    def solution(self):
        return ["1001"]
