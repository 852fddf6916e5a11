from openspade_env import Game, as_number


class ManyDoors(Game):
    """A prize lies behind one of forty doors, and nothing says behind which."""

    skill = "logical deduction"
    hint = "Stay calm and choose."
    max_turns = 1

    def start(self, rng):
        self.door = rng.randint(1, 40)
        return f"Visitor {rng.randint(1, 99999)}: forty doors, one prize. Which door?"

    def act(self, action):
        return self.win() if as_number(action) == self.door else self.lose()

    def solution(self):
        return [str(self.door)]
