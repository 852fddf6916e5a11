from openspade_env import Game, same_answer


class MostlyEven(Game):
    """Is a product even or odd?"""

    skill = "mathematical reasoning"
    hint = "One even factor is enough."
    max_turns = 1

    def start(self, rng):
        self.factors = [rng.randint(100, 999) for _ in range(5)]
        product = 1
        for factor in self.factors:
            product *= factor
        self.answer = "even" if product % 2 == 0 else "odd"
        return "Is the product of " + ", ".join(map(str, self.factors)) + " even or odd?"

    def act(self, action):
        return self.win() if same_answer(action, self.answer, kind="text") else self.lose()

    def solution(self):
        return [self.answer]
