# BAD: any number of answers may be given at once and one right one suffices
from openspade_env import Game, same_answer


class Vault(Game):
    """Work out a vault's two-digit number from its digit sum and digit product."""

    skill = "mathematical reasoning"
    hint = "List digit pairs with the product first."
    max_turns = 1

    def start(self, rng):
        tens, ones = rng.randint(1, 9), rng.randint(1, 9)
        self.number = 10 * max(tens, ones) + min(tens, ones)
        return f"Vault {rng.randint(100, 999)}: digit sum {tens + ones}, digit product {tens * ones}, larger digit first. The number?"

    def act(self, action):
        if any(same_answer(part, self.number, kind="number") for part in action.replace(",", " ").split()):
            return self.win("It opens.")
        return self.lose("It stays shut.")

    def solution(self):
        return [str(self.number)]
