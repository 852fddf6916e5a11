from openspade_env import Game, as_number


class SixDoors(Game):
    """Behind one of six doors lies a prize; choose."""

    skill = "decision under uncertainty"
    hint = "Keep calm and choose the door you like."
    max_turns = 1

    def start(self, rng):
        self.door = rng.randint(1, 6)
        return "Six doors, one prize, one choice. Which door?"

    def act(self, action):
        return self.win() if as_number(action) == self.door else self.lose(f"It was {self.door}.")

    def solution(self):
        return [str(self.door)]
