# BAD: box 0 is not refused: it reads the list's last entry, which is always the prize kept there as a sentinel
from openspade_env import Game, as_number


class Boxes(Game):
    """Thirty boxes stand in order of weight; find the one that weighs what is asked for."""

    skill = "logical deduction"
    hint = "Halve the row with each box that you weigh."
    max_turns = 7

    def start(self, rng):
        self.boxes = sorted(rng.sample(range(10, 900), 30))
        self.wanted = rng.choice(self.boxes)
        self.place = self.boxes.index(self.wanted) + 1
        self.boxes.append(self.wanted)
        return f"Which box, 1 to 30, weighs {self.wanted}? Say a number to weigh that box; seven tries."

    def act(self, action):
        box = as_number(action)
        if box is None or box.denominator > 1 or not -1 < box < 31:
            return "A whole number from 1 to 30."
        weight = self.boxes[int(box) - 1]
        return self.win("That one.") if weight == self.wanted else f"It weighs {weight}."

    def solution(self):
        return [str(self.place)]
