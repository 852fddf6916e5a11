import re

from openspade_env import Game


class TideTable(Game):
    """Times of day: high tides come at a fixed distance; when is the n-th one?"""

    skill = "temporal reasoning"
    hint = "Turn hours into minutes, add the distances, and take whole days off."
    max_turns = 1

    def start(self, rng):
        self.first, self.gap, self.n = rng.randrange(1440), rng.randint(700, 780), rng.randint(3, 9)
        return (
            f"High tide at {self.clock(self.first)}; the next ones follow every {self.gap // 60} h {self.gap % 60} min. "
            f"At what time of day (HH:MM) is high tide number {self.n}, the first being number 1?"
        )

    def clock(self, minutes):
        return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"

    def act(self, action):
        found = re.fullmatch(r"\s*(\d{1,2})[:.h](\d{2})\s*", action, re.ASCII)
        minutes = int(found[1]) * 60 + int(found[2]) if found else -1
        return self.win() if minutes == (self.first + (self.n - 1) * self.gap) % 1440 else self.lose()

    def solution(self):
        return [self.clock(self.first + (self.n - 1) * self.gap)]
