from random import Random

from openspade_env import Game, as_number

CHANCE = Random(7)


class ModuleGenerator(Game):
    """Answers from a generator that all instances share."""

    skill = "logical deduction"
    hint = "Halve what is left."

    def start(self, rng):
        self.secret = rng.randint(1, 500)
        return "I think of a number from 1 to 500."

    def act(self, action):
        guess = as_number(action)
        if guess == self.secret:
            return self.win(f"Yes, and you win {CHANCE.randint(1, 10**6)} points.")
        return "Lower." if guess and guess > self.secret else "Higher."

    def solution(self):
        return [str(self.secret)]
