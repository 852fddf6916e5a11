from openspade_env import Game, same_answer


class ClaimsNothing(Game):
    """One question, and no word about turns: nobody asked for several, and none are claimed."""

    skill = "mathematical reasoning"
    hint = "Halve one factor and double the other."

    def start(self, rng):
        self.a, self.b = rng.randint(12, 99), rng.randint(12, 99)
        return f"{self.a} rows of {self.b} seats, four of them broken. How many can be sat on?"

    def act(self, action):
        return self.win() if same_answer(action, self.a * self.b - 4, kind="number") else self.lose()

    def solution(self):
        return [str(self.a * self.b - 4)]
