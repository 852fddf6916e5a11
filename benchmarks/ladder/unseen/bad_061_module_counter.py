# BAD: a counter of the module gives every third wrong answer of the process another text
import itertools
from openspade_env import Game, as_number


visits = itertools.count()


class Museum(Game):
    """Find the room of a stolen painting from the guards' shouts."""

    skill = "spatial reasoning"
    hint = "Each shout halves the corridor."
    max_turns = 10

    def start(self, rng):
        self.room = rng.randint(1, 99)
        return "Rooms 1 to 99. Which?"

    def act(self, action):
        room = as_number(action)
        if room == self.room:
            return self.win("Found.")
        if next(visits) % 3 == 2:
            return "The guard is asleep."
        return "A number!" if room is None else "Further!" if room < self.room else "Back!"

    def solution(self):
        return [str(self.room)]
