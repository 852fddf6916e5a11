# BAD: the same coin may be named as often as one likes although there is one of each
from openspade_env import Game, as_number


class Till(Game):
    """Pay an exact sum from a purse that holds one coin of each kind shown."""

    skill = "mathematical reasoning"
    hint = "Try the largest coin first."
    max_turns = 1

    def start(self, rng):
        self.coins = [1, *rng.sample(range(2, 60), 7)]
        self.pick = rng.sample(self.coins, 4)
        self.sum = sum(self.pick)
        return f"Purse: {sorted(self.coins)}, one of each. Pay {self.sum}: coins separated by commas."

    def act(self, action):
        given = [as_number(part) for part in action.split(",")]
        if any(number not in self.coins for number in given):
            return self.lose("No such coin.")
        return self.win() if sum(given) == self.sum else self.lose("Not the sum.")

    def solution(self):
        return [", ".join(map(str, self.pick))]
