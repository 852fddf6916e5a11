from openspade_env import Game


class NumberAsText(Game):
    """Refuses 7.0 for 7."""

    skill = "mathematical reasoning"
    hint = "Multiply the tens first."

    def start(self, rng):
        self.numbers = rng.sample(range(11, 99), 2)
        return f"{self.numbers[0]} times {self.numbers[1]}?"

    def act(self, action):
        return self.win() if action.strip() == str(self.numbers[0] * self.numbers[1]) else self.lose()

    def solution(self):
        return [str(self.numbers[0] * self.numbers[1])]
