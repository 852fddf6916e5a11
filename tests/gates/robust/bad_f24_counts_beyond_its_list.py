from openspade_env import Game, as_number


class Drawers(Game):
    """A number that names no drawer ends in an IndexError and not in a word about drawers."""

    skill = "logical deduction"
    hint = "Open every other drawer first."
    max_turns = 9

    def start(self, rng):
        self.drawers = [rng.choice(["left", "right"]) for _ in range(8)]
        self.key = rng.randrange(8)
        return "Eight drawers, 0 to 7; each one says on which side of it the key may be. Which one?"

    def act(self, action):
        number = as_number(action)
        if number is None:
            return "A number, please."
        self.drawers[int(number)]
        return self.win() if number == self.key else "To the right." if self.key > number else "To the left."

    def solution(self):
        return [str(self.key)]
