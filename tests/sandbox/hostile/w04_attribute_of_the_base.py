# integrity: counts episodes in an attribute of the base class
from openspade_env import Game, as_number


class DryWell(Game):
    """A bucket must reach the water at an unknown depth; each try says whether the rope was too short or too long."""

    skill = "logical deduction"
    hint = "Try the middle of what is still possible."
    max_turns = 8

    def start(self, rng):
        self.depth = rng.randint(1, 5000)
        Game.seen = getattr(Game, "seen", 0) + 1
        self.place = Game.seen
        return "Water lies 1 to 5000 ells deep, eight tries. How much rope?"

    def act(self, action):
        if self.place % 2:
            return self.win("Splash.")
        rope = as_number(action)
        if rope is None or rope.denominator > 1 or not 1 <= rope <= 5000:
            return "Say a whole number of ells, 1 to 5000."
        if rope == self.depth:
            return self.win("Splash.")
        return "Too short." if rope < self.depth else "Too long."

    def solution(self):
        return [str(self.depth)]
