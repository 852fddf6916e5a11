from openspade_env import Game, as_number


class ThreeKeys(Game):
    """One of three keys opens; try as long as you like."""

    skill = "logical deduction"
    hint = "Think which key fits the lock before you try it."
    max_turns = 10

    def start(self, rng):
        self.key = rng.randint(1, 3)
        return f"A lock of make {self.key * 37 % 11}; keys 1, 2 and 3. Which one?"

    def act(self, action):
        return self.win("It opens.") if as_number(action) == self.key else "It does not turn."

    def solution(self):
        return [str(self.key)]
