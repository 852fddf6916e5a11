from openspade_env import Game, same_answer


class TwoReadings(Game):
    """'Between 20 and 30' with or without its ends? The text leaves it open, and act() and solution() read it apart."""

    skill = "mathematical reasoning"
    hint = "Divide both ends by the step."
    max_turns = 1

    def start(self, rng):
        self.every = rng.randint(2, 9)
        self.low = self.every * rng.randint(11, 40)
        self.high = self.low + self.every * rng.randint(4, 30)
        return f"How many multiples of {self.every} lie between {self.low} and {self.high}?"

    def act(self, action):
        count = len(range(self.low, self.high + 1, self.every))
        return self.win() if same_answer(action, count, kind="number") else self.lose()

    def solution(self):
        return [str(len(range(self.low + self.every, self.high, self.every)))]
