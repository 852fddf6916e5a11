from openspade_env import Game, same_answer


class RaisesOnSomeSeeds(Game):
    """Divides by a number that is sometimes 0."""

    skill = "mathematical reasoning"
    hint = "Divide the hundreds first."

    def start(self, rng):
        self.total, self.parts = rng.randint(100, 999), rng.randint(0, 4)
        self.share = self.total // self.parts
        return f"How often does {self.parts} go into {self.total}?"

    def act(self, action):
        return self.win() if same_answer(action, self.share, kind="number") else self.lose()

    def solution(self):
        return [str(self.share)]
