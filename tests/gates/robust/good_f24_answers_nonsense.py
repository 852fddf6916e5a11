from openspade_env import Game, as_number


class Drawers(Game):
    """What names no drawer is told so, costs no turn of the game's own, and ends nothing."""

    skill = "logical deduction"
    hint = "Open the drawer in the middle of what is left."
    max_turns = 10

    def start(self, rng):
        self.key = rng.randrange(300)
        return "Three hundred drawers, 0 to 299; an opened one shows on which side of it the key is. Which one?"

    def act(self, action):
        number = as_number(action)
        if number not in range(300):
            return "There is no such drawer; say a number from 0 to 299."
        return self.win() if number == self.key else "To the right." if self.key > number else "To the left."

    def solution(self):
        return [str(self.key)]
