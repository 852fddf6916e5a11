# GOOD: Mastermind with repeats, feedback of black and white pegs
from openspade_env import Game


class Pegs(Game):
    """Find a hidden row of four colours; each guess is marked by how many stand right and how many stand elsewhere."""

    skill = "logical deduction"
    hint = "Find out how often each colour occurs, then move one colour at a time."
    max_turns = 14

    def start(self, rng):
        self.row = [rng.choice("RGBYOV") for _ in range(4)]
        return "Four pegs out of R G B Y O V, repeats allowed, fourteen guesses. Write four letters such as RRGB."

    def act(self, action):
        guess = [letter for letter in action.upper() if not letter.isspace()]
        if len(guess) != 4 or any(letter not in "RGBYOV" for letter in guess):
            return "Four letters out of R G B Y O V."
        black = sum(a == b for a, b in zip(guess, self.row))
        if black == 4:
            return self.win("All four.")
        both = sum(min(guess.count(c), self.row.count(c)) for c in "RGBYOV")
        return f"{black} right in place, {both - black} elsewhere."

    def solution(self):
        return ["".join(self.row)]
