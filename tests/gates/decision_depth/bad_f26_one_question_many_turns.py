from openspade_env import Game, same_answer


class OneQuestionManyTurns(Game):
    """Claims eight turns, but the first answer ends everything."""

    skill = "mathematical reasoning"
    hint = "Multiply the tens first."
    max_turns = 8

    def start(self, rng):
        self.numbers = rng.sample(range(11, 99), 2)
        return f"{self.numbers[0]} times {self.numbers[1]}?"

    def act(self, action):
        product = self.numbers[0] * self.numbers[1]
        return self.win() if same_answer(action, product, kind="number") else self.lose()

    def solution(self):
        return [str(self.numbers[0] * self.numbers[1])]
