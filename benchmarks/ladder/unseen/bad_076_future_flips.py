# BAD: the flips to be foretold are drawn after the answer; the solution reads them from a copy of the chance
from openspade_env import Game


class Flips(Game):
    """Foretell eight flips of a fair coin."""

    skill = "pattern induction"
    hint = "Heads are as likely as tails."
    max_turns = 8

    def start(self, rng):
        self.rng, self.right, self.tag = rng, 0, rng.randint(100, 999)
        return f"Coin {self.tag}. heads or tails? Eight right in a row win."

    def act(self, action):
        flip = self.rng.choice(["heads", "tails"])
        if action.strip().lower() != flip:
            return self.lose(f"{flip}.")
        self.right += 1
        return self.win() if self.right == 8 else f"{flip}. Next?"

    def solution(self):
        return [self.rng.choice(["heads", "tails"]) for _ in range(8)]
