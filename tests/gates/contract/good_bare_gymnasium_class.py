import random


class Bits:
    """A class with Gymnasium's reset and step, as older pools have them: write a number in binary."""

    skill = "mathematical reasoning"
    hint = "Halve the number again and again; the remainders, read backwards, are the digits."
    max_turns = 1

    def reset(self, seed=None):
        self.number, self.over = random.Random(seed).randint(100, 999), False
        return f"Write {self.number} in binary.", {}

    def step(self, action):
        right = action.strip().removesuffix(".0") == f"{self.number:b}"
        reward = float(right and not self.over)
        self.over = True
        return "Yes." if right else "No.", reward, True, False, {}

    def solution(self):
        return [f"{self.number:b}"]
