import random


class PaysAfterTheEnd:
    """A bare class that goes on paying once it is over."""

    skill = "mathematical reasoning"
    hint = "Square the number."
    max_turns = 1

    def reset(self, seed=None):
        self.number = random.Random(seed).randint(30, 99)
        return f"{self.number} squared?", {}

    def step(self, action):
        right = action.strip().removesuffix(".0") == str(self.number**2)
        return "Over.", float(right), True, False, {}

    def solution(self):
        return [str(self.number**2)]
