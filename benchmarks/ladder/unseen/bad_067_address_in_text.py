# BAD: an unknown word prints the object, with its address in memory
from openspade_env import Game, as_number


class Oven:
    def __init__(self, degrees):
        self.degrees = degrees


class Baker(Game):
    """Set an oven so that the bread is done in exactly the minutes asked for."""

    skill = "mathematical reasoning"
    hint = "Hotter is quicker: the product stays the same."
    max_turns = 8

    def start(self, rng):
        minutes, degrees = rng.randint(20, 60), rng.randint(120, 260)
        factor = rng.choice([2, 4, 5])
        self.oven, self.wanted = Oven(degrees), degrees * factor
        return f"At {degrees} degrees it takes {minutes * factor} minutes; degrees times minutes stays the same. Degrees for {minutes} minutes?"

    def act(self, action):
        degrees = as_number(action)
        if degrees is None:
            return f"{self.oven} takes numbers."
        return self.win("Done.") if degrees == self.wanted else self.lose("Burnt or raw.")

    def solution(self):
        return [str(self.wanted)]
