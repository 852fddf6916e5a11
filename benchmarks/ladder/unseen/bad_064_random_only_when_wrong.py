# BAD: wrong answers are met with a remark drawn from the global chance
from random import choice as pick
from openspade_env import Game, as_number


class Kettle(Game):
    """Find the temperature at which a tea is best, 40 to 100 degrees in tenths."""

    skill = "logical deduction"
    hint = "Halve the interval."
    max_turns = 14

    def start(self, rng):
        self.tenths = rng.randint(400, 1000)
        return "Between 40.0 and 100.0 degrees. Try one."

    def act(self, action):
        given = as_number(action)
        if given is None:
            return pick(["Pardon?", "A number, please.", "I did not get that.", "Hm?"])
        if given * 10 == self.tenths:
            return self.win("Perfect.")
        return "Too cold." if given * 10 < self.tenths else "Too hot."

    def solution(self):
        return [f"{self.tenths // 10}.{self.tenths % 10}"]
