# BAD: an unknown word is answered with None instead of a text
from openspade_env import Game


class Organ(Game):
    """Play back a tune of five notes that is described by its steps."""

    skill = "pattern induction"
    hint = "Begin at the first note and count steps up and down."
    max_turns = 6

    def start(self, rng):
        scale = "CDEFGAB"
        places = [rng.randrange(7) for _ in range(5)]
        self.tune, self.at = [scale[p] for p in places], 0
        return f"First note {self.tune[0]}, then steps {[b - a for a, b in zip(places, places[1:])]} in the scale of C. One note a turn, five notes."

    def act(self, action):
        note = action.strip().upper()
        if len(note) == 1 and note in "CDEFGAB":
            if note != self.tune[self.at]:
                return self.lose("A wrong note.")
            self.at += 1
            return self.win("Applause.") if self.at == 5 else "Next."

    def solution(self):
        return self.tune
