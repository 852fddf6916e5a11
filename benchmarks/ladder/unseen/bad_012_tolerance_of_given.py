# BAD: the tolerance grows with the number given, so any huge number wins
from openspade_env import Game, as_number


class Volume(Game):
    """Estimate how many litres a box holds."""

    skill = "mathematical reasoning"
    hint = "Multiply the sides in decimetres."
    max_turns = 1

    def start(self, rng):
        sides = [rng.randint(3, 60) for _ in range(3)]
        self.litres = sides[0] * sides[1] * sides[2]
        return f"A box of {sides[0]} by {sides[1]} by {sides[2]} decimetres. Litres, to within a tenth?"

    def act(self, action):
        given = as_number(action)
        if given is None:
            return self.lose("A number, please.")
        return self.win() if abs(self.litres - given) <= max(abs(given), self.litres / 10) else self.lose()

    def solution(self):
        return [str(self.litres)]
