# BAD: every named move is checked for being legal, but no move at all is legal too and the goal is never looked at
from openspade_env import Game


class Ferry(Game):
    """Load a ferry: name crates whose weights fit and add up to exactly the wanted load."""

    skill = "optimisation"
    hint = "Start with the heaviest crate that fits."
    max_turns = 1

    def start(self, rng):
        self.crates = {letter: rng.randint(11, 97) for letter in "ABCDEFGH"}
        self.load = rng.sample("ABCDEFGH", 4)
        self.wanted = sum(self.crates[c] for c in self.load)
        listed = ", ".join(f"{c} {w}" for c, w in self.crates.items())
        return f"Crates: {listed}. Load exactly {self.wanted}: letters separated by blanks."

    def act(self, action):
        total = 0
        legal = all(part in self.crates for part in action.split())
        total = sum(self.crates.get(part, 0) for part in action.split())
        return self.win() if legal and total <= self.wanted else self.lose()

    def solution(self):
        return [" ".join(self.load)]
