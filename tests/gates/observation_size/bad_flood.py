from openspade_env import Game, same_answer


class Flood(Game):
    """A page of digits that no agent can read."""

    skill = "pattern recognition"
    hint = "Count in tens."

    def start(self, rng):
        self.digits = "".join(rng.choice("0123456789") for _ in range(12_000))
        return f"How many sevens? {self.digits}"

    def act(self, action):
        return self.win() if same_answer(action, self.digits.count("7"), kind="number") else self.lose()

    def solution(self):
        return [str(self.digits.count("7"))]
