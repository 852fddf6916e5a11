from openspade_env import Game


class Password(Game):
    """Unsolvable without a word that only the hint has."""

    skill = "logical deduction"
    hint = "Say xyzzy, then the sum."
    max_turns = 4

    def start(self, rng):
        self.numbers, self.opened = rng.sample(range(100, 1000), 2), False
        return f"A closed door. Behind it: {self.numbers[0]} + {self.numbers[1]}."

    def act(self, action):
        if self.opened and action.strip() == str(sum(self.numbers)):
            return self.win()
        self.opened = self.opened or action.strip() == "xyzzy"
        return "The door is open." if self.opened else "The door stays closed."

    def solution(self):
        return ["xyzzy", str(sum(self.numbers))]
