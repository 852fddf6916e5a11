# BAD: text in the wrong format is answered with a usage line that shows the right answer
import re
from openspade_env import Game


class Lock(Game):
    """Open a bicycle lock whose digits follow from three clues."""

    skill = "logical deduction"
    hint = "Start with the clue about the sum."
    max_turns = 4

    def start(self, rng):
        a, b, c = (rng.randint(1, 9) for _ in range(3))
        self.code = f"{a}-{b}-{c}"
        return f"Three digits: the first two sum to {a + b}, the last two to {b + c}, first times last is {a * c}, all three make {a + b + c}. The middle is {b}. Code?"

    def act(self, action):
        if not re.fullmatch(r"\d-\d-\d", action.strip()):
            return f"The code must look like {self.code}."
        return self.win() if action.strip() == self.code else self.lose()

    def solution(self):
        return [self.code]
