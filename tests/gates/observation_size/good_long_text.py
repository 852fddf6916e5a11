from openspade_env import Game, same_answer


class LongText(Game):
    """A list of a hundred prices is long to read and within the limit."""

    skill = "pattern recognition"
    hint = "Go through the list once and keep only the dearest so far."
    max_turns = 1

    def start(self, rng):
        prices = [rng.randint(1000, 9999) for _ in range(100)]
        self.place = prices.index(sorted(prices)[-2]) + 1
        lines = "\n".join(f"{number}. item costs {price}" for number, price in enumerate(prices, start=1))
        return f"Which place in the list has the second dearest item?\n{lines}"

    def act(self, action):
        return self.win() if same_answer(action, self.place, kind="number") else self.lose()

    def solution(self):
        return [str(self.place)]
