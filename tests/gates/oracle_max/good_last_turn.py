from openspade_env import Game


class LastTurn(Game):
    """The solution needs every turn there is, and not one more."""

    skill = "optimisation"
    hint = "Carry the heaviest that still fits."
    max_turns = 6

    def start(self, rng):
        self.boxes = [rng.randint(10, 99) for _ in range(6)]
        return f"Boxes {self.boxes}: name them from the heaviest to the lightest, one a turn."

    def act(self, action):
        if action.strip() != str(max(self.boxes)):
            return self.lose("Not the heaviest that is left.")
        self.boxes.remove(max(self.boxes))
        return f"{len(self.boxes)} are left." if self.boxes else self.win()

    def solution(self):
        return [str(box) for box in sorted(self.boxes, reverse=True)]
