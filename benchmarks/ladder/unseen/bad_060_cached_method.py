# BAD: an lru_cache on the generator of the foe's moves lets one episode use up another's
from functools import lru_cache
from openspade_env import Game


@lru_cache(maxsize=None)
def moves_of(style):
    return [style, (style + 2) % 3, (style + 1) % 3]


class Fists(Game):
    """Beat a foe at rock, paper and scissors four times; the foe repeats a pattern of three."""

    skill = "pattern induction"
    hint = "Write down three moves of the foe, then beat them in turn."
    max_turns = 16

    def start(self, rng):
        self.style, self.won, self.tag = rng.randrange(3), 0, rng.randint(100, 999)
        return f"Match {self.tag}. rock, paper or scissors? Four wins before sixteen rounds."

    def act(self, action):
        names = ["rock", "paper", "scissors"]
        if action.strip().lower() not in names:
            return "rock, paper or scissors?"
        pattern = moves_of(self.style)
        foe = pattern.pop(0)
        pattern.append(foe)
        self.won += (names.index(action.strip().lower()) - foe) % 3 == 1
        return self.win("Four.") if self.won == 4 else f"The foe shows {names[foe]}; {self.won} won."

    def solution(self):
        pattern = [self.style, (self.style + 2) % 3, (self.style + 1) % 3, self.style]
        return [["rock", "paper", "scissors"][(foe + 1) % 3] for foe in pattern]
