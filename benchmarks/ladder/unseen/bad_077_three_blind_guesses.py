# BAD: a number of 1 to 1000 in three guesses, and a wrong guess tells nothing
from openspade_env import Game, same_answer


class Urn(Game):
    """Name the number of the ball that was drawn."""

    skill = "logical deduction"
    hint = "Spread your guesses."
    max_turns = 3

    def start(self, rng):
        self.ball, self.tag = rng.randint(1, 1000), rng.randint(100, 999)
        return f"Urn {self.tag}: a ball of 1 to 1000 was drawn. Three guesses."

    def act(self, action):
        return self.win("Yes.") if same_answer(action, self.ball, kind="number") else "No."

    def solution(self):
        return [str(self.ball)]
