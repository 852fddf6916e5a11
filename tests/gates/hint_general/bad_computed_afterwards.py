from openspade_env import Game, same_answer


def hinted(environment):
    environment.hint = environment.hint + " " + ", ".join(str(n * n) for n in range(30, 100))
    return environment


@hinted
class ComputedAfterwards(Game):
    """A decorator appends a table of answers to the hint."""

    skill = "mathematical reasoning"
    hint = "Square the tens first."

    def start(self, rng):
        self.number = rng.randint(30, 99)
        return f"{self.number} squared?"

    def act(self, action):
        return self.win() if same_answer(action, self.number**2, kind="number") else self.lose()

    def solution(self):
        return [str(self.number**2)]
