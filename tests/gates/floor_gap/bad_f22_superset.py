from openspade_env import Game, same_answer


class Superset(Game):
    """Accepts whatever contains the answer: two guesses for the price of one."""

    skill = "mathematical reasoning"
    hint = "Multiply the tens first."

    def start(self, rng):
        self.numbers = rng.sample(range(111, 999), 2)
        return f"{self.numbers[0]} times {self.numbers[1]}?"

    def act(self, action):
        product = self.numbers[0] * self.numbers[1]
        right = same_answer(action, product, kind="number") or str(product) in action.split()
        return self.win() if right or str(product) in action.replace(",", " ").split() else self.lose()

    def solution(self):
        return [str(self.numbers[0] * self.numbers[1])]
