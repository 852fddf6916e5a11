from openspade_env import Game, same_answer

PRICES = {}


class FirstCome(Game):
    """A price list that the first instance of all writes for everybody."""

    skill = "mathematical reasoning"
    hint = "Multiply the tens first."

    def start(self, rng):
        self.price = PRICES.setdefault("apple", rng.randint(11, 99))
        self.count = rng.randint(11, 99)
        return f"An apple costs {self.price}. What do {self.count} cost?"

    def act(self, action):
        return self.win() if same_answer(action, self.price * self.count, kind="number") else self.lose()

    def solution(self):
        return [str(self.price * self.count)]
