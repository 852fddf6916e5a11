from openspade_env import Game, same_answer


class SeveralLines(Game):
    """A literal in several pieces is one literal text."""

    skill = "mathematical reasoning"
    hint = (
        "Multiply by ten, "
        "then take half of it: "
        "that is five times the number."
    )
    max_turns = 1

    def start(self, rng):
        self.number = rng.randint(100, 999)
        return f"Five times {self.number}?"

    def act(self, action):
        return self.win() if same_answer(action, 5 * self.number, kind="number") else self.lose()

    def solution(self):
        return [str(5 * self.number)]
