from openspade_env import Game, same_answer


class Fines(Game):
    """Punishes a wrong answer with -1."""

    skill = "mathematical reasoning"
    hint = "Square the number."

    def start(self, rng):
        self.number = rng.randint(30, 99)
        return f"{self.number} squared?"

    def act(self, action):
        return self.win() if same_answer(action, self.number**2, kind="number") else self.score(-1.0, "Wrong.")

    def solution(self):
        return [str(self.number**2)]
