# BAD: a default argument remembers wrong guesses across episodes
from openspade_env import Game, as_number


class Echo(Game):
    """Find the pitch of a bell from 1 to 200 by trying tuning forks."""

    skill = "logical deduction"
    hint = "Halve the range."
    max_turns = 12

    def start(self, rng):
        self.pitch = rng.randint(1, 200)
        return "A bell of pitch 1 to 200. Which fork?"

    def act(self, action, tried=[]):
        fork = as_number(action)
        if fork is None:
            return "A number."
        if fork == self.pitch:
            return self.win("It rings.")
        if action in tried:
            return "You have tried that one."
        tried.append(action)
        return "higher" if fork < self.pitch else "lower"

    def solution(self):
        return [str(self.pitch)]
