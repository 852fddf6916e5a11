# BAD: several shortest ways exist, only the one the generator walked is accepted
from openspade_env import Game


class Harbour(Game):
    """Give a shortest way for a crane over a grid without obstacles."""

    skill = "planning"
    hint = "Only two directions are ever needed."
    max_turns = 1

    def start(self, rng):
        self.way = ["E"] * rng.randint(3, 6) + ["N"] * rng.randint(3, 6)
        rng.shuffle(self.way)
        return f"From (0, 0) to ({self.way.count('E')}, {self.way.count('N')}): a shortest way, letters E and N without blanks."

    def act(self, action):
        return self.win() if action.strip() == "".join(self.way) else self.lose()

    def solution(self):
        return ["".join(self.way)]
