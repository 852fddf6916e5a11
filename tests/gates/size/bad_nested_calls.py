from openspade_env import Game, same_answer


class NestedCalls(Game):
    """A program that nobody can read, and that a parser may not survive."""

    skill = "mathematical reasoning"
    hint = "Double it."
    max_turns = 1

    def start(self, rng):
        self.number = abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(abs(rng.randint(100, 999)))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
        return f"Twice {self.number}?"

    def act(self, action):
        return self.win() if same_answer(action, 2 * self.number, kind="number") else self.lose()

    def solution(self):
        return [str(2 * self.number)]
