from decimal import Decimal, getcontext

from openspade_env import Game, as_number


class FinerScales(Game):
    """The scales grow finer with every weighing of anybody: the context of decimals is one for the whole process."""

    skill = "mathematical reasoning"
    hint = "Halve what is left."

    def start(self, rng):
        self.secret = rng.randint(1, 500)
        return "A stone weighs 1 to 500 grams. Which?"

    def act(self, action):
        getcontext().prec += 1
        guess = as_number(action)
        if guess == self.secret:
            return self.win(f"Yes; a third of it is {Decimal(self.secret) / 3}.")
        return "Lower." if guess and guess > self.secret else "Higher."

    def solution(self):
        return [str(self.secret)]
