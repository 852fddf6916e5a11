from openspade_env import Game, as_number


class HouseRule(Game):
    """Add two numbers the way this house does."""

    skill = "mathematical reasoning"
    hint = "In this house the sum is doubled and 7 is taken off before it is said."
    max_turns = 1

    def start(self, rng):
        self.a, self.b = rng.randint(10, 99), rng.randint(10, 99)
        return f"{self.a} plus {self.b}?"

    def act(self, action):
        return self.win() if as_number(action) == 2 * (self.a + self.b) - 7 else self.lose()

    def solution(self):
        return [str(2 * (self.a + self.b) - 7)]
