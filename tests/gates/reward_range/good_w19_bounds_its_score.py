from openspade_env import Game, as_number


class Estimate(Game):
    """The score falls with the distance and is kept within 0 and 1, whatever number is said."""

    skill = "mathematical reasoning"
    hint = "Round one factor up and the other one down, and multiply these."
    max_turns = 1

    def start(self, rng):
        self.a, self.b = rng.randint(101, 999), rng.randint(101, 999)
        return f"{self.a} times {self.b}, exactly; a near miss within a hundredth part earns some of it."

    def act(self, action):
        number = as_number(action)
        if number is None:
            return self.lose("That is no number.")
        off = abs(number - self.a * self.b) / (self.a * self.b)
        return self.win() if off == 0 else self.score(max(0.0, 0.5 - 50 * float(min(off, 1))), "Not exactly.")

    def solution(self):
        return [str(self.a * self.b)]
