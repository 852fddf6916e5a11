# GOOD: an exact probability as a fraction in any spelling
from math import comb
from fractions import Fraction
from openspade_env import Game, as_number


class Urns(Game):
    """Give the exact chance of drawing a wanted mixture from an urn without putting back."""

    skill = "mathematical reasoning"
    hint = "Ways to draw what is wanted, divided by all ways to draw that many."
    max_turns = 1

    def start(self, rng):
        self.red, self.blue = rng.randint(4, 12), rng.randint(4, 12)
        self.r, self.b = rng.randint(1, 3), rng.randint(1, 3)
        return f"{self.red} red and {self.blue} blue balls; {self.r + self.b} are drawn at once. The chance of exactly {self.r} red ones? As a fraction."

    def act(self, action):
        wanted = Fraction(comb(self.red, self.r) * comb(self.blue, self.b), comb(self.red + self.blue, self.r + self.b))
        given = as_number(action)
        return self.win() if given is not None and given == wanted else self.lose()

    def solution(self):
        return [str(Fraction(comb(self.red, self.r) * comb(self.blue, self.b), comb(self.red + self.blue, self.r + self.b)))]
